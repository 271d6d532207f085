import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@cleveragents/kernel';
import type { ActorStep } from '@cleveragents/registry';
import { makeTestDirectory } from '@cleveragents/testing';
import { ToolModule } from '@cleveragents/tool';
import { Test, type TestingModule } from '@nestjs/testing';
import { ConfigModule, readConfig } from '@cleveragents/config';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StepExecutor, type ProposedCall, type StepObserver, type StepOutcome, type StepRun } from './step-executor.js';
import { ActorModule } from './actor.module.js';

let module: TestingModule;
let root: string;

beforeAll(async () => {
  const directory = await makeTestDirectory();
  const config = readConfig({ variables: {}, workingDirectory: directory, isTerminal: false });
  module = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(config), ToolModule, ActorModule],
  }).compile();
});

afterAll(async () => {
  await module.close();
});

beforeEach(async () => {
  root = await makeTestDirectory();
});

/** Keeps what it is told, lets every call run, and asks for the steps it is told to. */
class Recorder implements StepObserver {
  readonly outcomes: StepOutcome[] = [];
  discarded = 0;

  constructor(private readonly asksFor: string | null = null) {}

  stepStarts(): Promise<void> {
    return Promise.resolve();
  }

  permit(call: ProposedCall): Promise<'run' | 'ask'> {
    return Promise.resolve(call.step.id === this.asksFor ? 'ask' : 'run');
  }

  stepEnded(outcome: StepOutcome): Promise<void> {
    this.outcomes.push(outcome);
    return Promise.resolve();
  }

  discardAttempt(): Promise<void> {
    this.discarded += 1;
    return Promise.resolve();
  }

  get statuses(): string[] {
    return this.outcomes.map((outcome) => `${outcome.step.id} ${outcome.status}`);
  }
}

function step(id: string, inputs: JsonObject, more: Partial<ActorStep> = {}): ActorStep {
  return { id, tool: 'builtin/write_file', inputs, on_error: 'stop', confidence: 1, ...more };
}

const WRITE = step('write', { path: 'a.txt', content: '{{args.note}}' });
const BROKEN = step('broken', { path: 'a.txt', find: 'nowhere', replace: '' }, { tool: 'builtin/edit_file' });
const LAST = step('last', { path: 'last.txt', content: 'end' });

function run(steps: readonly ActorStep[], observer: StepObserver, more: Partial<StepRun> = {}) {
  return module.get(StepExecutor).run({
    steps,
    scope: { args: { note: 'hello' } },
    outputs: new Map(),
    place: { exists: async (path) => (await readFile(join(root, path)).catch(() => null)) !== null },
    tools: { root, signal: new AbortController().signal, commandAllow: [] },
    configGlobs: [],
    maxRetries: 3,
    observer,
    ...more,
  });
}

describe('StepExecutor', () => {
  it('runs one step after the other, with the outputs of the earlier ones', async () => {
    const recorder = new Recorder();
    const read = step('read', { path: 'a.txt' }, { tool: 'builtin/read_file' });
    const copy = step('copy', { path: 'b.txt', content: '{{steps.read.output.content}}' });
    expect(await run([WRITE, read, copy], recorder)).toEqual({ kind: 'done' });
    expect(recorder.statuses).toEqual(['write done', 'read done', 'copy done']);
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('hello');
  });

  it('skips a step whose condition does not hold just before it', async () => {
    const recorder = new Recorder();
    const once = { ...WRITE, id: 'once', when: { not: { exists: 'a.txt' } } };
    await run([WRITE, once, LAST], recorder);
    expect(recorder.statuses).toEqual(['write done', 'once skipped', 'last done']);
  });

  it('does not run again what an earlier run has ended', async () => {
    const recorder = new Recorder();
    await run([WRITE, LAST], recorder, { outputs: new Map([['write', {}]]) });
    expect(recorder.statuses).toEqual(['last done']);
  });

  it('leaves the run before a call that a person must approve', async () => {
    const recorder = new Recorder('last');
    const end = await run([WRITE, LAST], recorder);
    expect(end).toMatchObject({ kind: 'asks', call: { step: LAST, gates: ['create_file'] } });
    expect(recorder.statuses).toEqual(['write done']);
  });

  it('stops at a failing step and discards what it left', async () => {
    const recorder = new Recorder();
    const end = await run([WRITE, BROKEN, LAST], recorder);
    expect(end).toMatchObject({ kind: 'failed', step: BROKEN });
    expect(recorder).toMatchObject({ statuses: ['write done'], discarded: 1 });
  });

  it('goes on after a failing step that says so', async () => {
    const recorder = new Recorder();
    await run([WRITE, { ...BROKEN, on_error: 'continue' }, LAST], recorder);
    expect(recorder.statuses).toEqual(['write done', 'broken failed', 'last done']);
  });

  it('tries a failing step again, as often as the profile allows', async () => {
    const recorder = new Recorder();
    const end = await run([WRITE, { ...BROKEN, on_error: 'retry' }], recorder);
    expect(end).toMatchObject({ kind: 'failed' });
    expect(recorder.discarded).toBe(4);
  });

  it('counts the attempts of a step that succeeds at last', async () => {
    class Mending extends Recorder {
      override async discardAttempt(): Promise<void> {
        await super.discardAttempt();
        await writeFile(join(root, 'a.txt'), 'nowhere');
      }
    }
    const recorder = new Mending();
    expect(await run([WRITE, { ...BROKEN, on_error: 'retry' }], recorder)).toEqual({ kind: 'done' });
    expect(recorder.outcomes.at(-1)).toMatchObject({ status: 'done', attempts: 2 });
  });

  it('fails a step whose template names something unknown', async () => {
    const unknown = step('unknown', { path: 'a.txt', content: '{{args.absent}}' });
    expect(await run([unknown], new Recorder())).toMatchObject({
      kind: 'failed',
      failure: { reason: 'UNKNOWN_TEMPLATE_KEY' },
    });
  });

  it('fails a step with a tool that does not exist', async () => {
    const end = await run([{ ...WRITE, tool: 'acme/unheard-of' }], new Recorder());
    expect(end).toMatchObject({ kind: 'failed', step: { id: 'write' } });
  });

  it('ends at once when it is stopped', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    const tools = { root, signal: stopped, commandAllow: [] };
    await expect(run([WRITE], new Recorder(), { tools })).rejects.toThrow('stopped');
  });
});
