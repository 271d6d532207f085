import type { Operation } from './dialect.js';

/** Which vocabulary a method name belongs to. `reference` = the product reference's own spelling, official in no release. */
export type NameGrammar = '0.1' | '0.3' | '1.0' | 'reference';

export interface OperationName {
  readonly name: string;
  readonly operation: Operation;
  readonly grammar: NameGrammar;
  /** 0.1 and 0.3 both have this name, so that the name alone does not tell the payload's shape. */
  readonly isSharedWith01: boolean;
}

type NamesByGrammar = Partial<Record<Exclude<NameGrammar, '1.0'>, readonly string[]>>;

/** The canonical id of an operation is its 1.0 name; here is every other accepted one. */
const OTHER_NAMES: Readonly<Record<Operation, NamesByGrammar>> = {
  SendMessage: { '0.3': ['message/send'], '0.1': ['tasks/send'] },
  SendStreamingMessage: { '0.3': ['message/stream'], '0.1': ['tasks/sendSubscribe'] },
  GetTask: { '0.3': ['tasks/get'] },
  ListTasks: { reference: ['tasks/list'] },
  CancelTask: { '0.3': ['tasks/cancel'] },
  SubscribeToTask: { '0.3': ['tasks/resubscribe'], reference: ['tasks/subscribe'] },
  CreateTaskPushNotificationConfig: {
    '0.3': ['tasks/pushNotificationConfig/set'],
    '0.1': ['tasks/pushNotification/set'],
    reference: ['pushNotificationConfig/create'],
  },
  GetTaskPushNotificationConfig: {
    '0.3': ['tasks/pushNotificationConfig/get'],
    '0.1': ['tasks/pushNotification/get'],
    reference: ['pushNotificationConfig/get'],
  },
  ListTaskPushNotificationConfigs: {
    '0.3': ['tasks/pushNotificationConfig/list'],
    reference: ['pushNotificationConfig/list'],
  },
  DeleteTaskPushNotificationConfig: {
    '0.3': ['tasks/pushNotificationConfig/delete'],
    reference: ['pushNotificationConfig/delete'],
  },
  GetExtendedAgentCard: {
    // The 0.3 specification spells it both ways.
    '0.3': ['agent/getAuthenticatedExtendedCard', 'agent/authenticatedExtendedCard'],
    reference: ['getExtendedAgentCard'],
  },
};

const SHARED_WITH_01: ReadonlySet<string> = new Set(['tasks/get', 'tasks/cancel', 'tasks/resubscribe']);

/** Every accepted method name of the standard operations, of all generations. */
export const OPERATION_NAMES: readonly OperationName[] = Object.entries(OTHER_NAMES).flatMap(([id, others]) => {
  const operation = id as Operation;
  const canonical: OperationName = { name: operation, operation, grammar: '1.0', isSharedWith01: false };
  const aliases = Object.entries(others).flatMap(([grammar, names]) =>
    names.map((name) => ({
      name,
      operation,
      grammar: grammar as NameGrammar,
      isSharedWith01: SHARED_WITH_01.has(name),
    })),
  );
  return [canonical, ...aliases];
});

const BY_NAME: ReadonlyMap<string, OperationName> = new Map(OPERATION_NAMES.map((entry) => [entry.name, entry]));

export function findOperationName(method: string): OperationName | undefined {
  return BY_NAME.get(method);
}

/** All accepted names of an operation but the canonical one: the aliases to register its handler under. */
export function aliasesOf(operation: Operation): readonly string[] {
  return OPERATION_NAMES.filter((entry) => entry.operation === operation && entry.name !== operation).map(
    (entry) => entry.name,
  );
}

/** The name of an operation in a grammar, for hints; undefined where that grammar has none. */
export function nameIn(grammar: NameGrammar, operation: Operation): string | undefined {
  return OPERATION_NAMES.find(
    (entry) =>
      entry.operation === operation && (entry.grammar === grammar || (grammar === '0.1' && entry.isSharedWith01)),
  )?.name;
}
