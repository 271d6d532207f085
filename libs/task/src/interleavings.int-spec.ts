import fc from 'fast-check';
import type { StreamEvent } from '@cleveragents/jsonrpc';
import { CleverAgentsError } from '@cleveragents/kernel';
import { isTerminal, type Artifact, type Task, type TaskState, type TaskStatus } from '@cleveragents/protocol';
import type { TestDatabase } from '@cleveragents/testing';
import type { Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from './agent/agent.js';
import type { AgentRun } from './agent/agent-run.js';
import type { TaskEvent } from './domain/task-event.js';
import { TaskReader } from './log/task-reader.js';
import { AT_ONCE, callOf, saying, seqOf, StreamReader, TaskPlatform } from './task-platform.fixture.js';

/** What the agent of the task does next, if a run of it is open. */
const MOVES = [
  'working',
  'chunk',
  'closing-chunk',
  'artifact',
  'ask',
  'authorize',
  'complete',
  'fail',
  'throw',
] as const;
type Move = (typeof MOVES)[number];

/** What clients do; `leave` and `come-back` concern the newest reader that can. */
const CALLS = ['send', 'stream', 'cancel', 'subscribe', 'leave', 'come-back', 'get'] as const;
type Call = (typeof CALLS)[number];

/** Ends are rare, so that most tasks live for a while; a chunk after the closing one is an end, too. */
const RARE: ReadonlySet<string> = new Set(['complete', 'fail', 'throw', 'cancel', 'closing-chunk']);
const anything: fc.Arbitrary<Move | Call> = fc.oneof(
  ...[...MOVES, ...CALLS].map((name) => ({ weight: RARE.has(name) ? 1 : 15, arbitrary: fc.constant(name) })),
);

/** Most happens on the server where the task began, some on another one. */
const step = fc.record({ what: anything, isElsewhere: fc.nat(3).map((number) => number === 0) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The steps of a burst start together, whatever comes of it. */
const burst = fc.array(step, { minLength: 1, maxLength: 6, size: 'max' });
const bursts = fc.array(burst, { minLength: 1, maxLength: 20, size: 'max' });

const STATE_OF: Readonly<Partial<Record<Move, TaskState>>> = {
  working: 'TASK_STATE_WORKING',
  ask: 'TASK_STATE_INPUT_REQUIRED',
  authorize: 'TASK_STATE_AUTH_REQUIRED',
  complete: 'TASK_STATE_COMPLETED',
  fail: 'TASK_STATE_FAILED',
};

/** An agent whose runs the test moves. */
class SteeredAgent implements Agent {
  readonly name = 'steered';
  readonly effects = 'none';
  private readonly open = new Map<string, { readonly run: AgentRun; readonly end: (error?: Error) => void }>();
  private pieces = 0;

  answer(): null {
    return null;
  }

  run(run: AgentRun): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        this.open.delete(run.taskId);
        if (error === undefined) resolve();
        else reject(error);
      };
      this.open.set(run.taskId, { run, end });
      run.signal.addEventListener('abort', () => end());
    });
  }

  move(taskId: string, move: Move): void {
    const held = this.open.get(taskId);
    if (held === undefined) return;
    const { run, end } = held;
    if (move === 'throw') return end(new Error('the agent is at its end'));
    try {
      this.write(run, move);
    } catch (error) {
      return end(error as Error);
    }
    if (move === 'ask' || move === 'complete' || move === 'fail') end();
  }

  private write(run: AgentRun, move: Move): void {
    const state = STATE_OF[move];
    if (state !== undefined) return void run.status(state, [{ text: move }]);
    this.pieces += 1;
    const artifact = { artifactId: move === 'artifact' ? 'whole' : 'pieces', parts: [{ text: `${this.pieces}` }] };
    run.artifact(artifact, { append: move !== 'artifact', lastChunk: move === 'closing-chunk' });
  }
}

interface Reader {
  readonly stream: StreamReader;
  /** The cursor that it came back with. */
  readonly from: string | null;
  readonly endsAtPause: boolean;
  hasLeft: boolean;
}

interface Replica {
  readonly platform: TaskPlatform;
  readonly agent: SteeredAgent;
}

/** One task, its agents and its clients, at two servers with one database. */
class Play {
  readonly readers: Reader[] = [];
  accepted = 1;

  private constructor(
    private readonly here: Replica,
    private readonly elsewhere: Replica,
    readonly taskId: string,
  ) {}

  static async begin(here: Replica, elsewhere: Replica): Promise<Play> {
    const stream = new StreamReader(here.platform.messages.stream(saying('begin'), callOf()));
    const [first] = await stream.seen(1);
    const play = new Play(here, elsewhere, first?.value().task?.id ?? '');
    play.readers.push({ stream, from: null, endsAtPause: true, hasLeft: false });
    return play;
  }

  async step({ what, isElsewhere }: Step): Promise<void> {
    const call = CALLS.find((name) => name === what);
    try {
      if (call === undefined) this.move(what as Move);
      else await this.call(call, isElsewhere ? this.elsewhere.platform : this.here.platform);
    } catch (error) {
      expect(['TASK_BUSY', 'UNSUPPORTED_OPERATION', 'TASK_NOT_CANCELABLE']).toContain(reasonOf(error));
    }
  }

  /** Whatever state the steps have left it in. */
  async end(): Promise<Task> {
    while (!isTerminal((await this.task()).status.state)) {
      this.move('complete');
      await this.step({ what: 'cancel', isElsewhere: false });
    }
    // A server that lost the task to the other one has nothing more to write.
    const idle = async ({ platform }: Replica): Promise<void> => {
      await platform.live
        .find(this.taskId)
        ?.rested()
        .catch(() => undefined);
    };
    await Promise.all([this.here, this.elsewhere].map(idle));
    return this.task();
  }

  task(platform = this.here.platform): Promise<Task> {
    return platform.get(this.taskId, 1000);
  }

  private move(move: Move): void {
    for (const { agent } of [this.here, this.elsewhere]) agent.move(this.taskId, move);
  }

  private async call(call: Call, platform: TaskPlatform): Promise<void> {
    const { taskId } = this;
    switch (call) {
      case 'send':
        await platform.messages.send(saying('more', { taskId }, AT_ONCE), callOf());
        this.accepted += 1;
        return;
      case 'stream':
        await this.read(platform.messages.stream(saying('more', { taskId }), callOf()), null, true);
        this.accepted += 1;
        return;
      case 'cancel':
        await platform.tasks.cancel({ id: taskId }, callOf());
        return;
      case 'subscribe':
        return this.read(platform.streams.subscribe({ id: taskId }, callOf()), null, false);
      case 'leave':
        return this.leave();
      case 'come-back':
        return this.comeBack(platform);
      case 'get':
        await this.task(platform);
    }
  }

  private async read(source: Observable<StreamEvent>, from: string | null, endsAtPause: boolean): Promise<void> {
    const stream = new StreamReader(source);
    await Promise.race([stream.seen(1), stream.ended]);
    this.readers.push({ stream, from, endsAtPause, hasLeft: false });
  }

  private leave(): void {
    const reader = this.readers.findLast(({ hasLeft }) => !hasLeft);
    if (reader === undefined) return;
    reader.hasLeft = true;
    reader.stream.leave();
  }

  private async comeBack(platform: TaskPlatform): Promise<void> {
    const lastEventId = this.readers.findLast(({ hasLeft }) => hasLeft)?.stream.events.at(-1)?.cursor ?? null;
    if (lastEventId === null) return;
    const source = platform.streams.subscribe({ id: this.taskId }, callOf({ lastEventId }));
    await this.read(source, lastEventId, false);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof CleverAgentsError ? error.reason : String(error);
}

interface Folded {
  readonly status: TaskStatus | undefined;
  readonly artifacts: readonly Artifact[];
}

/** What a client makes of events, by the words of A2A 1.0 §4.2 alone. */
function fold(events: readonly TaskEvent[]): Folded {
  const artifacts = new Map<string, Artifact>();
  let status: TaskStatus | undefined;
  for (const event of events) {
    const { statusUpdate, artifactUpdate } = event.value();
    status = statusUpdate?.status ?? status;
    if (artifactUpdate === undefined) continue;
    const { artifact, append } = artifactUpdate;
    const known = append === true ? artifacts.get(artifact.artifactId) : undefined;
    const parts = [...(known?.parts ?? []), ...artifact.parts];
    artifacts.set(artifact.artifactId, { ...artifact, parts });
  }
  return { status, artifacts: [...artifacts.values()] };
}

const foldedOf = ({ status, artifacts = [] }: Task): Folded => ({ status, artifacts });

function expectLegalLog(events: readonly TaskEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const states = events.map(({ state }) => state);
  expect(states[0]).toBe('TASK_STATE_SUBMITTED');
  expect(states.lastIndexOf('TASK_STATE_SUBMITTED')).toBe(0);
  expect(events.filter(({ isLast }) => isLast)).toEqual([events.at(-1)]);
}

function expectTrueStory({ stream, from, endsAtPause, hasLeft }: Reader, log: readonly TaskEvent[]): void {
  const [first, ...rest] = stream.events;
  if (first === undefined) return;
  const start = seqOf(first);
  if (from !== null) expect(first.cursor).toBe(from);
  const { task } = first.value();
  expect(task === undefined ? null : foldedOf(task)).toEqual(fold(log.slice(0, start)));
  const after = log.slice(start);
  const pause = endsAtPause ? after.findIndex(({ isPause }) => isPause) : -1;
  const whole = pause === -1 ? after : after.slice(0, pause + 1);
  const expected = hasLeft ? whole.slice(0, rest.length) : whole;
  expect(rest.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
}

describe('any interleaving of an agent, cancels, readers that come and go, and messages', () => {
  let here: Replica;
  let elsewhere: Replica;

  beforeAll(async () => {
    here = await replica();
    elsewhere = await replica(here.platform.database);
  });

  afterAll(async () => {
    await elsewhere.platform.stop();
    await here.platform.stop();
  });

  async function replica(database?: TestDatabase): Promise<Replica> {
    const platform = await TaskPlatform.start({}, database);
    const agent = new SteeredAgent();
    platform.host(agent);
    return { platform, agent };
  }

  it('is one legal log with one end, and the same task for every reader', async () => {
    await fc.assert(
      fc.asyncProperty(bursts, async (steps) => {
        const play = await Play.begin(here, elsewhere);
        for (const together of steps) await Promise.all(together.map((one) => play.step(one)));
        const task = await play.end();
        await Promise.all(play.readers.filter(({ hasLeft }) => !hasLeft).map(({ stream }) => stream.ended));
        const log = await here.platform.module.get(TaskReader).eventsAfter(play.taskId, 0);
        expectLegalLog(log);
        expect(foldedOf(task)).toEqual(fold(log));
        for (const reader of play.readers) expectTrueStory(reader, log);
        const users = task.history?.filter(({ role }) => role === 'ROLE_USER') ?? [];
        expect(users).toHaveLength(play.accepted);
      }),
      { numRuns: 60 },
    );
  });
});
