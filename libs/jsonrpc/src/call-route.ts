import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { A2aOperationNotFoundError, type CleverAgentsError } from '@cleveragents/kernel';
import { findOperationName, negotiate, type Dialect } from '@cleveragents/protocol';
import type { Caller } from './caller.js';
import { NO_HEADERS, type AnswerHeaders } from './failed-call.js';
import type { ErrorContext } from './json-rpc-error.js';
import { JsonRpcRegistry, type RegisteredMethod } from './json-rpc-registry.js';
import { familyOfUnknown, isDeprecatedName, type MethodFamily } from './method-family.js';

/** What an answer depends on even if the caller was never asked who they are. */
export type CallerFacts = Pick<Caller, 'versionHeader' | 'versionQuery' | 'correlationId'>;

interface RouteFacts {
  readonly dialect: Dialect;
  readonly context: ErrorContext;
  readonly headers: AnswerHeaders;
  /** The name is of two generations, and which one the caller means shows the task. */
  readonly dialectDependsOnTask: boolean;
  /** The caller used a name of the protocol's predecessor. */
  readonly isDeprecatedName: boolean;
}

/**
 * Where a call goes and in which generation of A2A, settled before it is looked at any further. A refusal is said
 * only to callers who may call at all.
 */
export type CallRoute = RouteFacts &
  (
    | { readonly method: RegisteredMethod; readonly refusal: null }
    | { readonly method: RegisteredMethod | undefined; readonly refusal: CleverAgentsError }
  );

interface Version {
  readonly dialect: Dialect;
  readonly stated: string | null;
  readonly dialectDependsOnTask: boolean;
  readonly refusal: CleverAgentsError | null;
}

@Injectable()
export class CallRouter {
  constructor(
    private readonly registry: JsonRpcRegistry,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  route(name: string, caller: Caller): CallRoute {
    const found = this.registry.find(name);
    const isDeprecated = found !== undefined && name !== found.name && isDeprecatedName(name);
    const method = isDeprecated && !this.config.a2a.acpNames ? undefined : found;
    const family = familyOf(name, method, isDeprecated);
    const version = versionOf(name, family, caller);
    const facts = {
      dialect: version.dialect,
      dialectDependsOnTask: version.dialectDependsOnTask,
      context: this.context(family, version.dialect, name, caller),
      headers: headersOf(version.stated, isDeprecated),
      isDeprecatedName: isDeprecated,
    };
    if (version.refusal !== null) return { ...facts, method, refusal: version.refusal };
    return method === undefined
      ? { ...facts, method, refusal: unknownMethod(name) }
      : { ...facts, method, refusal: null };
  }

  /** For what fails before a method is known: the dialect is a guess from the stated version. */
  contextOf(caller: CallerFacts): ErrorContext {
    const stated = caller.versionHeader || caller.versionQuery;
    return this.context('standard', stated?.trim().startsWith('1.') ? '1.0' : '0.3', null, caller);
  }

  private context(
    family: MethodFamily,
    dialect: Dialect,
    method: string | null,
    caller: Pick<Caller, 'correlationId'>,
  ): ErrorContext {
    const numbers = this.config.a2a.errorCodes === 'reference' ? 'platform' : family;
    return { family: numbers, dialect, method, correlationId: caller.correlationId };
  }
}

/** The predecessor's names follow the taxonomy of the reference, whatever they stand for now. */
function familyOf(name: string, method: RegisteredMethod | undefined, isDeprecated: boolean): MethodFamily {
  if (method === undefined) return familyOfUnknown(name);
  return isDeprecated ? 'platform' : method.family;
}

function versionOf(method: string, family: MethodFamily, caller: Caller): Version {
  try {
    const isPlatformMethod = family === 'platform';
    const request = { header: caller.versionHeader, query: caller.versionQuery, method, isPlatformMethod };
    return { ...negotiate(request), refusal: null };
  } catch (error) {
    const dialect = findOperationName(method)?.grammar === '1.0' ? '1.0' : '0.3';
    return { dialect, stated: null, dialectDependsOnTask: false, refusal: error as CleverAgentsError };
  }
}

function unknownMethod(name: string): A2aOperationNotFoundError {
  return new A2aOperationNotFoundError('Method not found', { method: name.slice(0, 128) });
}

function headersOf(stated: string | null, isDeprecated: boolean): AnswerHeaders {
  if (stated === null && !isDeprecated) return NO_HEADERS;
  return {
    ...(stated === null ? {} : { 'A2A-Version': stated }),
    ...(isDeprecated ? { Deprecation: 'true' } : {}),
  };
}
