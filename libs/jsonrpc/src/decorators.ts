import type { Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Role } from '@cleveragents/kernel';
import type { Operation } from '@cleveragents/protocol';
import type { Observable } from 'rxjs';
import type { CallContext } from './call-context.js';
import type { RawJson } from './raw-json.js';
import type { StreamEvent } from './stream-event.js';

/**
 * Least a caller must be to have the call looked at. `public` needs no credentials; `authenticated` any; a role means
 * "this role in the namespaces concerned", which the service checks because only it knows them.
 */
export type Access = 'public' | 'authenticated' | Role | 'server_admin';

export interface JsonRpcMethodSpec<P extends object, R extends object> {
  /** One line for the documentation. */
  readonly summary: string;
  /** DTO class with class-validator decorators. */
  readonly params: Type<P>;
  /** View class of the result. */
  readonly result: Type<R>;
  readonly access: Access;
  /** Further accepted names (decisions P1) and deprecated ones (P18). */
  readonly aliases?: readonly string[];
  /** Set on the standard A2A operations: their params and results pass through the caller's dialect codec. */
  readonly operation?: Operation;
}

export type MethodKind = 'unary' | 'stream';

export interface DeclaredMethod {
  readonly name: string;
  readonly key: string;
  readonly kind: MethodKind;
  readonly spec: JsonRpcMethodSpec<object, object>;
}

const METHODS = Symbol('json-rpc-methods');

type HandlerClass = object & { [METHODS]?: DeclaredMethod[] };

/** Marks a provider as the home of JSON-RPC methods; without it they are not discovered. */
export const JsonRpcHandler = DiscoveryService.createDecorator<{ tag: string }>();

/** A method that answers once. The handler's first parameter must be the declared DTO, or the code does not compile. */
export function JsonRpcMethod<P extends object, R extends object>(name: string, spec: JsonRpcMethodSpec<P, R>) {
  return <M extends (params: P, call: CallContext) => Promise<R | RawJson>>(
    target: object,
    key: string,
    _descriptor: TypedPropertyDescriptor<M>,
  ): void => remember(target.constructor, { name, key, kind: 'unary', spec });
}

/** A method that answers with a stream of committed events. A failure before the first one is a plain error answer. */
export function JsonRpcStream<P extends object, R extends object>(name: string, spec: JsonRpcMethodSpec<P, R>) {
  return <M extends (params: P, call: CallContext) => Observable<StreamEvent>>(
    target: object,
    key: string,
    _descriptor: TypedPropertyDescriptor<M>,
  ): void => remember(target.constructor, { name, key, kind: 'stream', spec });
}

function remember(handler: HandlerClass, method: DeclaredMethod): void {
  const own = Object.hasOwn(handler, METHODS) ? (handler[METHODS] ?? []) : [];
  handler[METHODS] = [...own, method];
}

export function declaredMethods(handler: object): readonly DeclaredMethod[] {
  return (handler as HandlerClass)[METHODS] ?? [];
}
