import type { Message } from '@cleveragents/protocol';
import type { IncomingMessage } from '../task-executor.js';
import type { AgentRun } from './agent-run.js';

/** An agent that runs inside this process, one run per message. */
export interface Agent {
  /** Stored with the task as its executor. */
  readonly name: string;
  /** `outside`: a run may touch the world, so it starts only after its task is durable; a retry then never runs twice. */
  readonly effects: 'none' | 'outside';
  /** A direct answer that needs no task, or null to get a run. */
  answer(incoming: IncomingMessage): Message | null;
  /** Must leave the task resting (terminal or waiting for the client); whatever it throws fails the task. */
  run(run: AgentRun): Promise<void>;
}
