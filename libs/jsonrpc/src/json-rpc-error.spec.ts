import { BusinessRuleViolation, ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { toJsonRpcError, type ErrorContext } from './json-rpc-error.js';

const OLD: ErrorContext = { family: 'standard', dialect: '0.3', method: 'tasks/get', correlationId: 'c' };
const NEW: ErrorContext = { family: 'standard', dialect: '1.0', method: 'GetTask', correlationId: 'c' };
const PLATFORM: ErrorContext = { ...NEW, family: 'platform', method: '_cleveragents/plan/status' };

describe('toJsonRpcError', () => {
  it('gives 0.x callers a plain object with reason, method and the documented keys', () => {
    const error = ResourceNotFoundError.of('Task', { task_id: 't' });
    expect(toJsonRpcError(error, OLD)).toEqual({
      code: -32001,
      message: 'Task not found',
      data: {
        type: 'ResourceNotFoundError',
        reason: 'TASK_NOT_FOUND',
        method: 'tasks/get',
        kind: 'task',
        task_id: 't',
        correlation_id: 'c',
      },
    });
  });

  it('gives 1.0 callers an ErrorInfo with the reason of A2A, and ours beside it', () => {
    const { code, data } = toJsonRpcError(new BusinessRuleViolation('busy', {}, { reason: 'TASK_BUSY' }), NEW);
    expect(code).toBe(-32004);
    expect(data).toMatchObject([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'UNSUPPORTED_OPERATION',
        domain: 'a2a-protocol.org',
      },
      { '@type': 'type.cleveragents.dev/ErrorDetails', reason: 'TASK_BUSY' },
    ]);
  });

  it('names the fields of bad params in both forms', () => {
    const error = ValidationError.of('message.parts', 'is required');
    expect(toJsonRpcError(error, OLD).data).toMatchObject({
      errors: [{ path: 'message.parts', message: 'is required' }],
    });
    expect(toJsonRpcError(error, NEW).data).toMatchObject([
      { reason: 'INVALID_PARAMS' },
      { fieldViolations: [{ field: 'message.parts', description: 'is required' }] },
      {},
    ]);
  });

  it('keeps the plain object on platform methods in every dialect', () => {
    expect(toJsonRpcError(ResourceNotFoundError.of('Plan', { plan_id: 'p' }), PLATFORM).data).toMatchObject({
      reason: 'PLAN_NOT_FOUND',
      plan_id: 'p',
    });
  });

  it.each([OLD, NEW, PLATFORM])('tells nothing of an unforeseen failure', (context) => {
    const text = JSON.stringify(toJsonRpcError(new Error('postgres://svc:s3cret@db/core'), context));
    expect(text).not.toContain('s3cret');
    expect(JSON.parse(text)).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(text).toContain('"correlation_id":"c"');
  });
});
