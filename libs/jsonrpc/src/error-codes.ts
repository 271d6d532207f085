import {
  A2aError,
  A2aNotAvailableError,
  A2aOperationNotFoundError,
  A2aVersionMismatchError,
  AuthenticationError,
  AuthorizationError,
  BudgetExceededError,
  BusinessRuleViolation,
  CleverAgentsError,
  ConfigurationError,
  DuplicateEntityError,
  PlanError,
  ResourceNotFoundError,
  ValidationError,
} from '@cleveragents/kernel';
import type { MethodFamily } from './method-family.js';
import {
  BodyTooLargeError,
  DependencyAwayError,
  HttpsRequiredError,
  InvalidRequestError,
  ParseError,
  PostRequiredError,
  ServerStoppingError,
  UnsupportedContentTypeError,
} from './protocol-errors.js';

/** The only place where JSON-RPC error numbers and their HTTP statuses exist. */

interface Numbers {
  readonly standard: number;
  readonly platform: number;
  /** HTTP status; 200 for whatever parsed as JSON. */
  readonly status: number;
}

type ErrorClass = abstract new (...args: never[]) => CleverAgentsError;

const INTERNAL: Numbers = { standard: -32603, platform: -32603, status: 200 };

const BY_CLASS: ReadonlyMap<ErrorClass, Numbers> = new Map<ErrorClass, Numbers>([
  [ParseError, { standard: -32700, platform: -32700, status: 400 }],
  [InvalidRequestError, { standard: -32600, platform: -32600, status: 200 }],
  [PostRequiredError, { standard: -32600, platform: -32600, status: 405 }],
  [BodyTooLargeError, { standard: -32600, platform: -32600, status: 413 }],
  [UnsupportedContentTypeError, { standard: -32005, platform: -32600, status: 415 }],
  [A2aOperationNotFoundError, { standard: -32601, platform: -32601, status: 200 }],
  [ValidationError, { standard: -32602, platform: -32602, status: 200 }],
  [ResourceNotFoundError, { standard: -32001, platform: -32001, status: 200 }],
  [AuthenticationError, { standard: -31002, platform: -32002, status: 401 }],
  [AuthorizationError, { standard: -31003, platform: -32003, status: 403 }],
  [HttpsRequiredError, { standard: -31003, platform: -32003, status: 403 }],
  [BusinessRuleViolation, { standard: -32004, platform: -32004, status: 200 }],
  [DuplicateEntityError, { standard: -31005, platform: -32005, status: 200 }],
  [BudgetExceededError, { standard: -31006, platform: -32006, status: 200 }],
  [A2aVersionMismatchError, { standard: -32009, platform: -32007, status: 200 }],
  [PlanError, { standard: -31008, platform: -32008, status: 200 }],
  [ConfigurationError, { standard: -31009, platform: -32009, status: 200 }],
  [A2aNotAvailableError, INTERNAL],
  [DependencyAwayError, { ...INTERNAL, status: 503 }],
  [ServerStoppingError, { ...INTERNAL, status: 503 }],
  [A2aError, INTERNAL],
]);

/** A2A's own errors: their number on standard operations follows from the reason, whatever class carries it. */
const STANDARD_BY_REASON: ReadonlyMap<string, number> = new Map([
  ['TASK_NOT_FOUND', -32001],
  ['TASK_NOT_CANCELABLE', -32002],
  ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003],
  ['UNSUPPORTED_OPERATION', -32004],
  ['CONTENT_TYPE_NOT_SUPPORTED', -32005],
  ['INVALID_AGENT_RESPONSE', -32006],
  ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', -32007],
  ['EXTENSION_SUPPORT_REQUIRED', -32008],
  ['VERSION_NOT_SUPPORTED', -32009],
]);

const REASON_BY_STANDARD = new Map([...STANDARD_BY_REASON].map(([reason, code]) => [code, reason]));

/** The one number of A2A that platform methods answer with: the reference has none for it. */
const EXTENSION_SUPPORT_REQUIRED = 'EXTENSION_SUPPORT_REQUIRED';

export const INTERNAL_ERROR_CODE = INTERNAL.standard;

export function codeOf(error: unknown, family: MethodFamily): number {
  if (!(error instanceof CleverAgentsError)) return INTERNAL_ERROR_CODE;
  if (family === 'standard' || error.reason === EXTENSION_SUPPORT_REQUIRED) {
    const code = STANDARD_BY_REASON.get(error.reason);
    if (code !== undefined) return code;
  }
  return numbersOf(error)[family];
}

export function statusOf(error: unknown): number {
  return error instanceof CleverAgentsError ? numbersOf(error).status : INTERNAL.status;
}

/** Name that A2A gives to a number on standard operations; undefined for numbers that are not A2A's. */
export function a2aReasonOf(code: number): string | undefined {
  return REASON_BY_STANDARD.get(code);
}

function numbersOf(error: CleverAgentsError): Numbers {
  let type: unknown = error.constructor;
  while (typeof type === 'function') {
    const numbers = BY_CLASS.get(type as unknown as ErrorClass);
    if (numbers !== undefined) return numbers;
    type = Object.getPrototypeOf(type);
  }
  return INTERNAL;
}
