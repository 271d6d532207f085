import { Injectable, Scope, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { aliasesOf } from '@cleveragents/protocol';
import type { Observable } from 'rxjs';
import type { CallContext } from './call-context.js';
import {
  JsonRpcHandler,
  declaredMethods,
  type DeclaredMethod,
  type JsonRpcMethodSpec,
  type MethodKind,
} from './decorators.js';
import { NoParams } from './method-dto.js';
import type { MethodFamily } from './method-family.js';
import { ParamsChecks, type ParamsCheck } from './params-check.js';
import type { RawJson } from './raw-json.js';
import { hasValidators } from './schema-of.js';
import type { StreamEvent } from './stream-event.js';

type Handler = (params: object, call: CallContext) => Promise<object | RawJson> | Observable<StreamEvent>;

/** A method as the dispatcher uses it: everything that can be settled at boot is settled. */
export interface RegisteredMethod {
  readonly name: string;
  /** All other accepted names. */
  readonly aliases: readonly string[];
  readonly tag: string;
  readonly kind: MethodKind;
  readonly family: MethodFamily;
  readonly spec: JsonRpcMethodSpec<object, object>;
  readonly check: ParamsCheck;
  readonly invoke: Handler;
}

/** `area/verb`, `namespace/area/verb`, dotted predecessors, or a bare word. */
const METHOD_NAME = /^[A-Za-z][A-Za-z_]*$|^[A-Za-z_]+([/.][A-Za-z_]+)+$/;

@Injectable()
export class JsonRpcRegistry implements OnModuleInit {
  /** A Map and never an object: `constructor` and `__proto__` are legal method names to send. */
  private readonly methods = new Map<string, RegisteredMethod>();
  private readonly checks = new ParamsChecks();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders({ metadataKey: JsonRpcHandler.KEY })) {
      const type = wrapper.metatype as Type<object>;
      if (wrapper.scope === Scope.REQUEST || !wrapper.isDependencyTreeStatic()) {
        throw new Error(`${type.name} is request-scoped; a JSON-RPC handler gets what it needs from its CallContext`);
      }
      const tag = this.discovery.getMetadataByDecorator(JsonRpcHandler, wrapper)?.tag ?? '';
      for (const method of declaredMethods(type)) this.register(method, tag, wrapper.instance as object);
    }
  }

  /** An application that must offer certain methods does not start without them. */
  require(names: readonly string[]): void {
    const missing = names.filter((name) => !this.methods.has(name));
    if (missing.length > 0) throw new Error(`No @JsonRpcMethod or @JsonRpcStream answers ${missing.join(', ')}`);
  }

  find(name: string): RegisteredMethod | undefined {
    return this.methods.get(name);
  }

  /** Every method once, sorted by name. */
  list(): readonly RegisteredMethod[] {
    return [...new Set(this.methods.values())].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private register(declared: DeclaredMethod, tag: string, instance: object): void {
    const { name, kind, spec } = declared;
    const handler = Reflect.get(instance, declared.key) as Handler;
    const family: MethodFamily = spec.operation === undefined ? 'platform' : 'standard';
    if (spec.params !== NoParams && !hasValidators(spec.params)) {
      throw new Error(`${spec.params.name} (params of ${name}) has no validators`);
    }
    const accepted = [
      name,
      ...(spec.aliases ?? []),
      ...(spec.operation === undefined ? [] : operationNames(spec.operation)),
    ];
    const aliases = [...new Set(accepted)].filter((alias) => alias !== name);
    const check = this.checks.compile(spec.params, family === 'platform');
    const method = { name, aliases, tag, kind, family, spec, check, invoke: handler.bind(instance) };
    for (const accept of [name, ...aliases]) this.add(accept, method);
  }

  private add(name: string, method: RegisteredMethod): void {
    if (!METHOD_NAME.test(name)) throw new Error(`"${name}" is no method name`);
    const other = this.methods.get(name);
    if (other !== undefined) throw new Error(`"${name}" is registered twice: by ${other.name} and ${method.name}`);
    this.methods.set(name, method);
  }
}

function operationNames(operation: NonNullable<JsonRpcMethodSpec<object, object>['operation']>): readonly string[] {
  return [operation, ...aliasesOf(operation)];
}
