import type { AgentRun } from '../agent/agent-run.js';
import { pause, type Script } from './script.js';

/** A fault that must never reach a client. */
const SECRET_FAULT = 'cannot reach postgres://svc:s3cret@db/core';

const COMMANDS: Readonly<Record<string, (run: AgentRun, rest: string) => Promise<void>>> = {
  echo: async (run, rest) => {
    run.artifact({ artifactId: 'a1', name: 'result', parts: [{ text: rest }] }, { lastChunk: true });
    run.status('TASK_STATE_COMPLETED');
  },
  slow: async (run, rest) => {
    run.status('TASK_STATE_WORKING');
    await pause(Number(rest), run.signal);
    run.status('TASK_STATE_COMPLETED');
  },
  ask: async (run, rest) => {
    run.status('TASK_STATE_INPUT_REQUIRED', [{ text: rest }]);
  },
  auth: async (run, rest) => {
    run.status('TASK_STATE_AUTH_REQUIRED', [{ text: rest }]);
  },
  chunks: async (run, rest) => {
    const [, list = '', ms = '0'] = /^(.*?)(?: every (\d+))?$/s.exec(rest) ?? [];
    await pieces(run, list.split('|'), Number(ms));
    run.status('TASK_STATE_COMPLETED');
  },
  'throw-now': async () => {
    throw new Error(SECRET_FAULT);
  },
  failstart: async () => {
    throw new Error(SECRET_FAULT);
  },
  'throw-after': async (run, rest) => {
    const texts = Array.from({ length: parseInt(rest, 10) }, (_, index) => `chunk ${index}`);
    await pieces(run, [...texts, 'never sent'], 0, texts.length);
    throw new Error(SECRET_FAULT);
  },
  'return-early': async (run) => {
    run.status('TASK_STATE_WORKING');
  },
  'reject-later': async (run) => {
    run.status('TASK_STATE_COMPLETED');
    setTimeout(() => void Promise.reject(new Error(SECRET_FAULT)), 100);
  },
};

/** `echo: X`, `slow: ms`, `ask: Q`, `auth: Q`, `chunks: a|b|c every ms`, and the ways of failing. */
export function textScript(text: string): Script | null {
  const [, name = '', rest = ''] = /^([a-z-]+)(?:: ?(.*))?$/s.exec(text) ?? [];
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command === undefined ? null : (run) => command(run, rest);
}

async function pieces(run: AgentRun, texts: readonly string[], everyMs: number, count = texts.length): Promise<void> {
  run.status('TASK_STATE_WORKING');
  for (const [index, text] of texts.slice(0, count).entries()) {
    if (index > 0) await pause(everyMs, run.signal);
    const artifact = { artifactId: 'a1', name: 'result', parts: [{ text }] };
    run.artifact(artifact, { append: index > 0, lastChunk: index === texts.length - 1 });
  }
}
