import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRun } from '../agent/agent-run.js';

/** What the scripted agent does in one run. */
export type Script = (run: AgentRun) => Promise<void>;

/** Waits, or throws when the run is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
