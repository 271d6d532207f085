import type { AgentRun } from '../agent/agent-run.js';
import { pause, type Script } from './script.js';

/** A fault that must never reach a client. */
const SECRET_FAULT = 'cannot reach postgres://svc:s3cret@db/core';

const fault: Script = async () => {
  throw new Error(SECRET_FAULT);
};

/** Commands that are the whole text. */
const WORDS: Readonly<Record<string, Script>> = {
  'throw-now': fault,
  failstart: fault,
  'return-early': async (run) => {
    run.status('TASK_STATE_WORKING');
  },
  'reject-later': async (run) => {
    run.status('TASK_STATE_COMPLETED');
    setTimeout(() => void Promise.reject(new Error(SECRET_FAULT)), 100);
  },
};

/** Commands with something after a colon; null where that makes no sense. */
const COMMANDS: Readonly<Record<string, (rest: string) => Script | null>> = {
  echo: (rest) => async (run) => {
    run.artifact({ artifactId: 'a1', name: 'result', parts: [{ text: rest }] }, { lastChunk: true });
    run.status('TASK_STATE_COMPLETED');
  },
  slow: (rest) => {
    const [ms] = numberIn(/^(\d{1,9})$/, rest);
    return ms === undefined ? null : (run) => slow(run, ms);
  },
  ask: (rest) => async (run) => {
    run.status('TASK_STATE_INPUT_REQUIRED', [{ text: rest }]);
  },
  auth: (rest) => async (run) => {
    run.status('TASK_STATE_AUTH_REQUIRED', [{ text: rest }]);
  },
  chunks: (rest) => {
    const [everyMs = 0] = numberIn(/ every (\d{1,9})$/, rest);
    const texts = rest.replace(/ every \d{1,9}$/, '').split('|');
    return async (run) => {
      await pieces(run, texts, everyMs);
      run.status('TASK_STATE_COMPLETED');
    };
  },
  'throw-after': (rest) => {
    const [count] = numberIn(/^(\d{1,4})(?: chunks?)?$/, rest);
    if (count === undefined) return null;
    const texts = Array.from({ length: count }, (_, index) => `chunk ${index}`);
    return async (run) => {
      await pieces(run, [...texts, 'never sent'], 0, texts.length);
      throw new Error(SECRET_FAULT);
    };
  },
};

/** `echo: X`, `slow: ms`, `ask: Q`, `auth: Q`, `chunks: a|b|c every ms`, and the ways of failing. */
export function textScript(text: string): Script | null {
  const word = own(WORDS, text);
  if (word !== undefined) return word;
  const [, name = '', rest = ''] = /^([a-z-]+): ?(.*)$/s.exec(text) ?? [];
  return own(COMMANDS, name)?.(rest) ?? null;
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function numberIn(pattern: RegExp, text: string): number[] {
  return (pattern.exec(text)?.slice(1) ?? []).map(Number);
}

async function slow(run: AgentRun, ms: number): Promise<void> {
  run.status('TASK_STATE_WORKING');
  await pause(ms, run.signal);
  run.status('TASK_STATE_COMPLETED');
}

async function pieces(run: AgentRun, texts: readonly string[], everyMs: number, count = texts.length): Promise<void> {
  run.status('TASK_STATE_WORKING');
  for (const [index, text] of texts.slice(0, count).entries()) {
    if (index > 0) await pause(everyMs, run.signal);
    const artifact = { artifactId: 'a1', name: 'result', parts: [{ text }] };
    run.artifact(artifact, { append: index > 0, lastChunk: index === texts.length - 1 });
  }
}
