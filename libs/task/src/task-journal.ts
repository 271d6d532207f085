import type { RequestKey } from './domain/idempotency.js';
import type { Origin } from '@cleveragents/kernel';
import type { Artifact, Dialect, Message, Task, TaskState } from '@cleveragents/protocol';

/** One change of a task; a list of them is applied in order and becomes consecutive events of the log. */
export type TaskChange =
  | {
      readonly kind: 'status';
      readonly state: TaskState;
      readonly message?: Message;
      /** Why, for the audit trail and the client (`metadata.reason`): AGENT_LOST, WORKING_LIMIT, … */
      readonly reason?: string;
    }
  | { readonly kind: 'artifact'; readonly artifact: Artifact; readonly append?: boolean; readonly lastChunk?: boolean }
  | { readonly kind: 'message'; readonly message: Message };

export interface NewTask {
  /** Principal id of the owner. */
  readonly owner: string;
  readonly namespace: string;
  readonly contextId: string;
  /** Generation of A2A that the task was born in. */
  readonly dialect: Dialect;
  /** Name of the executor that gets every further message of the task. */
  readonly executor: string;
  /** First entries of the history. */
  readonly messages: readonly Message[];
  readonly metadata?: Task['metadata'];
  /** The request that makes the task, so that a retry finds it; null or absent = retries are not recognised. */
  readonly requestKey?: RequestKey | null;
}

/**
 * Tasks as part of a larger transaction: every method must be called inside `TransactionManager.run`, writes state,
 * events, history and audit rows there, and tells subscribers only after that transaction has committed.
 */
export abstract class TaskJournal {
  /** Creates a task in state submitted and returns its id. The same requestKey again throws DuplicateEntityError. */
  abstract create(task: NewTask, origin: Origin): Promise<string>;

  /**
   * Applies changes to a task, locking its row first. A change that the state machine forbids (for example anything
   * after a terminal state) throws BusinessRuleViolation and rolls the transaction back.
   */
  abstract append(taskId: string, changes: readonly TaskChange[], origin: Origin): Promise<void>;
}
