import { describe, expect, it } from 'vitest';
import { OPERATIONS } from './dialect.js';
import { OPERATION_NAMES, aliasesOf, findOperationName, nameIn } from './operations.js';

describe('operation names', () => {
  it('accepts no name twice', () => {
    const names = OPERATION_NAMES.map((entry) => entry.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('knows the eleven names of the reference', () => {
    const reference = [
      ['message/send', 'SendMessage'],
      ['message/stream', 'SendStreamingMessage'],
      ['tasks/get', 'GetTask'],
      ['tasks/list', 'ListTasks'],
      ['tasks/cancel', 'CancelTask'],
      ['tasks/subscribe', 'SubscribeToTask'],
      ['pushNotificationConfig/create', 'CreateTaskPushNotificationConfig'],
      ['pushNotificationConfig/get', 'GetTaskPushNotificationConfig'],
      ['pushNotificationConfig/list', 'ListTaskPushNotificationConfigs'],
      ['pushNotificationConfig/delete', 'DeleteTaskPushNotificationConfig'],
      ['getExtendedAgentCard', 'GetExtendedAgentCard'],
    ];
    expect(reference.map(([name]) => findOperationName(name ?? '')?.operation)).toEqual(
      reference.map(([, operation]) => operation),
    );
  });

  it('knows every operation under its 1.0 name', () => {
    for (const operation of OPERATIONS) {
      expect(findOperationName(operation)).toMatchObject({ operation, grammar: '1.0', isSharedWith01: false });
    }
  });

  it('lists the aliases of an operation without its canonical name', () => {
    expect(aliasesOf('SubscribeToTask')).toEqual(['tasks/resubscribe', 'tasks/subscribe']);
    expect(aliasesOf('SendMessage')).toEqual(['message/send', 'tasks/send']);
  });

  it('names an operation in a grammar, where that grammar has it', () => {
    expect(nameIn('1.0', 'GetTask')).toBe('GetTask');
    expect(nameIn('0.1', 'CreateTaskPushNotificationConfig')).toBe('tasks/pushNotification/set');
    expect(nameIn('0.1', 'GetTask')).toBe('tasks/get');
    expect(nameIn('0.3', 'ListTasks')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'message/Send', 'SENDMESSAGE', ''])('does not know %j', (name) => {
    expect(findOperationName(name)).toBeUndefined();
  });
});
