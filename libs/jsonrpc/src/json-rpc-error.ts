import { CleverAgentsError, ValidationError, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Dialect } from '@cleveragents/protocol';
import { a2aReasonOf, codeOf } from './error-codes.js';
import type { MethodFamily } from './method-family.js';

/** What the form of an error answer depends on besides the error. */
export interface ErrorContext {
  readonly family: MethodFamily;
  readonly dialect: Dialect;
  /** Method as the caller wrote it; null when the call never got that far. */
  readonly method: string | null;
  readonly correlationId: string;
}

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonValue;
}

const A2A_DOMAIN = 'a2a-protocol.org';
const PRODUCT_DOMAIN = 'cleveragents.dev';
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const ERROR_DETAILS = `type.${PRODUCT_DOMAIN}/ErrorDetails`;

/** The error of a JSON-RPC answer. What is not ours stays in the log: the caller gets the correlation id only. */
export function toJsonRpcError(error: unknown, context: ErrorContext): JsonRpcError {
  const code = codeOf(error, context.family);
  const known = error instanceof CleverAgentsError ? error : null;
  const message = known?.message ?? 'Internal error';
  const data = known === null ? { reason: 'INTERNAL_ERROR' } : dataOf(known, context);
  const details = { ...data, correlation_id: context.correlationId };
  if (context.dialect !== '1.0' || context.family === 'platform') return { code, message, data: details };
  return { code, message, data: listForm(known, code, details) };
}

function dataOf(error: CleverAgentsError, context: ErrorContext): JsonObject & { reason: string } {
  return {
    type: error.name,
    reason: error.reason,
    ...(context.method === null ? {} : { method: context.method }),
    ...error.details,
  };
}

/** A2A 1.0 §9.5: an array of typed objects; official clients look for the ErrorInfo. */
function listForm(error: CleverAgentsError | null, code: number, details: JsonObject & { reason: string }): JsonValue {
  const a2aReason = a2aReasonOf(code) ?? (error instanceof ValidationError ? 'INVALID_PARAMS' : undefined);
  const info: JsonObject = {
    '@type': ERROR_INFO,
    reason: a2aReason ?? details.reason,
    domain: a2aReason === undefined ? PRODUCT_DOMAIN : A2A_DOMAIN,
    metadata: textMembers(details),
  };
  return [info, ...badRequest(error), { '@type': ERROR_DETAILS, ...details }];
}

function badRequest(error: CleverAgentsError | null): JsonObject[] {
  if (!(error instanceof ValidationError)) return [];
  const fieldViolations = error.problems.map(({ path, message }) => ({ field: path, description: message }));
  return [{ '@type': BAD_REQUEST, fieldViolations }];
}

/** ErrorInfo.metadata maps strings to strings. */
function textMembers(details: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === 'string'));
}
