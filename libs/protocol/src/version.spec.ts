import { A2aOperationNotFoundError, A2aVersionMismatchError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { negotiate, type VersionRequest } from './version.js';

const standard = (method: string, header?: string, query?: string) =>
  negotiate({ method, header, query, isPlatformMethod: false });

function errorOf(request: Partial<VersionRequest>): A2aVersionMismatchError | A2aOperationNotFoundError {
  try {
    negotiate({ method: 'tasks/get', isPlatformMethod: false, ...request });
  } catch (error) {
    if (error instanceof A2aVersionMismatchError || error instanceof A2aOperationNotFoundError) return error;
  }
  throw new Error('nothing was refused');
}

describe('negotiate', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['  ', null],
    ['0.3', '0.3'],
    ['0.3.0', '0.3'],
    [' 0.3.14 ', '0.3'],
    ['0.2', '0.2'],
    ['0.2.6', '0.2'],
  ])('R28 reads version %j as 0.3', (header, stated) => {
    expect(standard('message/send', header)).toEqual({ dialect: '0.3', stated, dialectDependsOnTask: false });
  });

  it.each(['1.0', '1.0.0', '1.0.9'])('R28 reads version %j as 1.0', (header) => {
    expect(standard('GetTask', header)).toEqual({ dialect: '1.0', stated: '1.0', dialectDependsOnTask: false });
  });

  it.each(['0.30', '2.0', 'latest', '1', '01.0', '1.00', '1.1', 'v1.0', '1.0-rc', '0.4', '1.0, 0.3', '1.0.x'])(
    'R28 refuses version %j on a standard operation and names the supported ones',
    (header) => {
      const error = errorOf({ header });
      expect(error).toBeInstanceOf(A2aVersionMismatchError);
      expect(error.reason).toBe('VERSION_NOT_SUPPORTED');
      expect(error.details).toEqual({ requested: header, supported: ['0.1', '0.3', '1.0'] });
    },
  );

  it('gives a refused version its own reason on platform methods', () => {
    const error = errorOf({ header: '2.0', method: '_cleveragents/plan/use', isPlatformMethod: true });
    expect(error).toBeInstanceOf(A2aVersionMismatchError);
    expect(error.reason).toBe('VERSION_MISMATCH');
  });

  it('refuses an unsupported version before it looks at the method', () => {
    expect(errorOf({ header: '2.0', method: 'no/such' }).reason).toBe('VERSION_NOT_SUPPORTED');
  });

  it('looks at the query parameter only where there is no header', () => {
    expect(standard('GetTask', undefined, '1.0').stated).toBe('1.0');
    expect(standard('GetTask', '', '1.0').stated).toBe('1.0');
    expect(standard('GetTask', '1.0', '2.0').stated).toBe('1.0');
    expect(errorOf({ query: '2.0' }).reason).toBe('VERSION_NOT_SUPPORTED');
  });

  it.each([
    ['SendMessage', '1.0'],
    ['message/stream', '0.3'],
    ['tasks/resubscribe', '0.3'],
    ['tasks/send', '0.1'],
    ['tasks/sendSubscribe', '0.1'],
    ['tasks/pushNotification/set', '0.1'],
    ['tasks/list', '0.3'],
    ['tasks/subscribe', '0.3'],
    ['no/such', '0.3'],
  ])('without a version reads %s as %s', (method, dialect) => {
    expect(standard(method)).toMatchObject({ dialect, stated: null });
  });

  it('lets the payload of the reference names follow the stated version', () => {
    expect(standard('tasks/list', '1.0').dialect).toBe('1.0');
    expect(standard('pushNotificationConfig/create', '1.0.1').dialect).toBe('1.0');
    expect(standard('tasks/subscribe', '0.1').dialect).toBe('0.1');
  });

  it.each(['tasks/get', 'tasks/cancel', 'tasks/resubscribe'])(
    'leaves the dialect of %s to the task when no version is stated',
    (method) => {
      expect(standard(method)).toEqual({ dialect: '0.3', stated: null, dialectDependsOnTask: true });
      expect(standard(method, '0.1')).toEqual({ dialect: '0.1', stated: '0.1', dialectDependsOnTask: false });
      expect(standard(method, '0.3')).toEqual({ dialect: '0.3', stated: '0.3', dialectDependsOnTask: false });
    },
  );

  it.each([
    ['message/send', '1.0', 'call SendMessage, or state A2A-Version: 0.3'],
    ['tasks/get', '1.0', 'call GetTask, or state A2A-Version: 0.3'],
    ['tasks/send', '1.0', 'call SendMessage, or state A2A-Version: 0.1'],
    ['GetTask', '0.3', 'call tasks/get, or state A2A-Version: 1.0'],
    ['SendMessage', '0.1', 'call tasks/send, or state A2A-Version: 1.0'],
    ['ListTasks', '0.2', 'call tasks/list, or state A2A-Version: 1.0'],
  ])('refuses %s under version %s and hints', (method, header, hint) => {
    const error = errorOf({ method, header });
    expect(error).toBeInstanceOf(A2aOperationNotFoundError);
    expect(error.details).toEqual({ method, version: header, hint });
  });

  it('keeps the stated version of a platform method', () => {
    const request = { method: '_cleveragents/health/check', isPlatformMethod: true };
    expect(negotiate({ ...request, header: '1.0' })).toMatchObject({ dialect: '1.0', stated: '1.0' });
    expect(negotiate(request)).toMatchObject({ dialect: '0.3', stated: null });
  });
});
