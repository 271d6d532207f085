import * as kernel from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { codeOf, statusOf } from './error-codes.js';
import * as own from './protocol-errors.js';

type Table = Record<string, { standard: number; platform: number; status: number }>;

/** The documented numbers: A2A's and the application block on standard operations, the reference's on the others. */
const DOCUMENTED: Table = {
  ParseError: { standard: -32700, platform: -32700, status: 400 },
  InvalidRequestError: { standard: -32600, platform: -32600, status: 200 },
  PostRequiredError: { standard: -32600, platform: -32600, status: 405 },
  BodyTooLargeError: { standard: -32600, platform: -32600, status: 413 },
  UnsupportedContentTypeError: { standard: -32005, platform: -32600, status: 415 },
  HttpsRequiredError: { standard: -31003, platform: -32003, status: 403 },
  ServerStoppingError: { standard: -32603, platform: -32603, status: 503 },
  DependencyAwayError: { standard: -32603, platform: -32603, status: 503 },
  A2aError: { standard: -32603, platform: -32603, status: 200 },
  A2aNotAvailableError: { standard: -32603, platform: -32603, status: 200 },
  A2aOperationNotFoundError: { standard: -32601, platform: -32601, status: 200 },
  A2aVersionMismatchError: { standard: -32009, platform: -32007, status: 200 },
  AuthenticationError: { standard: -31002, platform: -32002, status: 401 },
  AuthorizationError: { standard: -31003, platform: -32003, status: 403 },
  BudgetExceededError: { standard: -31006, platform: -32006, status: 200 },
  BusinessRuleViolation: { standard: -32004, platform: -32004, status: 200 },
  ConfigurationError: { standard: -31009, platform: -32009, status: 200 },
  DuplicateEntityError: { standard: -31005, platform: -32005, status: 200 },
  PlanError: { standard: -31008, platform: -32008, status: 200 },
  ResourceNotFoundError: { standard: -32001, platform: -32001, status: 200 },
  ValidationError: { standard: -32602, platform: -32602, status: 200 },
};

type ErrorClass = new (message: string) => kernel.CleverAgentsError;

function isErrorClass(value: unknown): value is ErrorClass {
  return (
    typeof value === 'function' &&
    value.prototype instanceof kernel.CleverAgentsError &&
    value !== (kernel.CleverAgentsError as unknown)
  );
}

function sampleOf(type: ErrorClass): kernel.CleverAgentsError {
  return type === (kernel.ValidationError as unknown) ? kernel.ValidationError.of('a', 'is wrong') : new type('x');
}

const EXPORTED: unknown[] = [...Object.values(kernel), ...Object.values(own)];
const CLASSES = EXPORTED.filter(isErrorClass);

describe('error numbers', () => {
  it('are those that are documented, for every error class there is', () => {
    const table = Object.fromEntries(
      CLASSES.map((type) => {
        const error = sampleOf(type);
        const numbers = { standard: codeOf(error, 'standard'), platform: codeOf(error, 'platform') };
        return [type.name, { ...numbers, status: statusOf(error) }];
      }),
    );
    expect(table).toEqual(DOCUMENTED);
  });

  it.each([
    ['TASK_NOT_CANCELABLE', -32002],
    ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003],
    ['UNSUPPORTED_OPERATION', -32004],
    ['TASK_BUSY', -32004],
    ['CONTENT_TYPE_NOT_SUPPORTED', -32005],
    ['INVALID_AGENT_RESPONSE', -32006],
    ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', -32007],
    ['EXTENSION_SUPPORT_REQUIRED', -32008],
  ])('follow the reason %s on standard operations', (reason, code) => {
    expect(codeOf(new kernel.BusinessRuleViolation('no', {}, { reason }), 'standard')).toBe(code);
  });

  it('follow the class on platform methods, but for the extension', () => {
    const violation = (reason: string) => new kernel.BusinessRuleViolation('no', {}, { reason });
    expect(codeOf(violation('TASK_NOT_CANCELABLE'), 'platform')).toBe(-32004);
    expect(codeOf(violation('EXTENSION_SUPPORT_REQUIRED'), 'platform')).toBe(-32008);
  });

  it('are inherited by classes that have none of their own', () => {
    class StaleRevision extends kernel.BusinessRuleViolation {}
    expect(codeOf(new StaleRevision('stale'), 'platform')).toBe(-32004);
  });

  it.each([new TypeError('x'), 'text', undefined, null])('are internal for %s', (thrown) => {
    expect(codeOf(thrown, 'standard')).toBe(-32603);
    expect(statusOf(thrown)).toBe(200);
  });
});
