import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AgentRun } from '../agent/agent-run.js';
import { pause, type Script } from './script.js';

const BENCH = /^(stream|tick|turn):(.*)$/s;

/** The texts of the load harness: `stream:<n>`, `tick:<n>:<interval ms>:<delay ms>`, `turn:<text>`. */
export function benchScript(text: string): Script | null {
  const [, kind, rest = ''] = BENCH.exec(text) ?? [];
  if (kind === 'stream') return (run) => stream(run, Number(rest));
  if (kind === 'turn') return (run) => turn(run, rest);
  if (kind !== 'tick') return null;
  const [count = 0, interval = 0, delay = 0] = rest.split(':').map(Number);
  return (run) => tick(run, count, interval, delay);
}

async function stream(run: AgentRun, count: number): Promise<void> {
  run.status('TASK_STATE_WORKING');
  for (let index = 0; index < count; index += 1) {
    await nextTurn();
    chunk(run, `chunk ${index} of ${count}`, index, count);
  }
  run.status('TASK_STATE_COMPLETED');
}

async function tick(run: AgentRun, count: number, intervalMs: number, delayMs: number): Promise<void> {
  run.status('TASK_STATE_WORKING');
  await pause(delayMs, run.signal);
  for (let index = 0; index < count; index += 1) {
    await pause(intervalMs, run.signal);
    chunk(run, `tick ${index} ${process.hrtime.bigint()}`, index, count);
  }
  run.status('TASK_STATE_COMPLETED');
}

async function turn(run: AgentRun, text: string): Promise<void> {
  run.status('TASK_STATE_INPUT_REQUIRED', [{ text: `more? ${text}` }]);
}

function chunk(run: AgentRun, text: string, index: number, count: number): void {
  const artifact = { artifactId: 'a1', name: 'result', parts: [{ text }] };
  run.artifact(artifact, { append: index > 0, lastChunk: index === count - 1 });
}
