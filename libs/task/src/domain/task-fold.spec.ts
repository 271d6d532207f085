import { BusinessRuleViolation } from '@cleveragents/kernel';
import type { StreamResponse, Task } from '@cleveragents/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskChange } from '../task-journal.js';
import { SealedArtifactError } from './artifact-fold.js';
import {
  apply,
  artifact,
  AT,
  chunk,
  COMPLETED,
  delta,
  IDENTITY,
  INPUT_REQUIRED,
  message,
  newFold,
  ORIGIN,
  WORKING,
} from './task-fold.fixture.js';
import { RECENT_MESSAGES, TaskFold } from './task-fold.js';

const taskOf = (fold: TaskFold, history = 50) => JSON.parse(fold.taskText(history)) as Task;
const unsupported = expect.objectContaining({ reason: 'UNSUPPORTED_OPERATION' }) as unknown;

describe('a new task', () => {
  it('is submitted, with its message in the history and one event', () => {
    const fold = newFold({ metadata: '{"k":1}' });
    expect(taskOf(fold)).toEqual({
      id: IDENTITY.id,
      contextId: 'context-1',
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: AT },
      history: [{ ...message('m-1'), taskId: IDENTITY.id, contextId: 'context-1' }],
      metadata: { k: 1 },
    });
    const { events, transitions, previousSeq, firstMessage, messages } = fold.takeDelta();
    expect(events.map(({ seq, state }) => [seq, state])).toEqual([[1, 'TASK_STATE_SUBMITTED']]);
    expect(transitions).toEqual([
      { from: null, to: 'TASK_STATE_SUBMITTED', reason: null, seq: 1, at: AT, origin: ORIGIN },
    ]);
    expect([previousSeq, firstMessage, messages.length]).toEqual([0, 1, 1]);
  });

  it('may have no message and an id of a context that needs escapes', () => {
    const fold = newFold({ contextId: 'say "c"\\' }, []);
    expect(taskOf(fold)).toEqual({
      id: IDENTITY.id,
      contextId: 'say "c"\\',
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: AT },
    });
  });
});

describe('a status', () => {
  it('carries its message into the history and its reason to the client and the audit trail', () => {
    const fold = newFold();
    fold.takeDelta();
    apply(fold, { kind: 'status', state: 'TASK_STATE_FAILED', message: message('m-2'), reason: 'AGENT_LOST' });
    const { events, transitions, messages, firstMessage, previousSeq, after } = fold.takeDelta();
    const update = (events[0]?.value() as StreamResponse).statusUpdate;
    expect(update?.metadata).toEqual({ reason: 'AGENT_LOST' });
    expect(update?.status.message?.messageId).toBe('m-2');
    expect(transitions).toMatchObject([
      { from: 'TASK_STATE_SUBMITTED', to: 'TASK_STATE_FAILED', reason: 'AGENT_LOST' },
    ]);
    expect([previousSeq, after.lastSeq, firstMessage, messages.length, after.messageCount]).toEqual([1, 2, 2, 1, 2]);
  });

  it('may repeat the state that the task is in', () => {
    const fold = apply(newFold(), WORKING, WORKING);
    expect(fold.lastSeq).toBe(3);
  });

  it.each([COMPLETED, WORKING, chunk('a', 'x'), { kind: 'message', message: message('m-2') } as TaskChange])(
    'that is terminal is the last change: $kind',
    (change) => {
      const fold = apply(newFold(), COMPLETED);
      const before = fold.takeDelta().after;
      expect(() => apply(fold, change)).toThrow(unsupported);
      expect(fold.hasChanges).toBe(false);
      expect(fold.lastSeq).toBe(before.lastSeq);
      expect(fold.messageCount).toBe(before.messageCount);
    },
  );

  it('never goes back to submitted', () => {
    const fold = apply(newFold(), INPUT_REQUIRED);
    const again = { kind: 'status', state: 'TASK_STATE_SUBMITTED' } as const;
    expect(() => apply(fold, again)).toThrow(BusinessRuleViolation);
  });

  it.each([
    ['TASK_STATE_SUBMITTED', true, false],
    ['TASK_STATE_WORKING', true, false],
    ['TASK_STATE_INPUT_REQUIRED', false, true],
    ['TASK_STATE_AUTH_REQUIRED', false, true],
    ['TASK_STATE_REJECTED', false, true],
  ] as const)('%s needs a runner: %s, rests: %s', (state, isActive, isResting) => {
    const fold = state === 'TASK_STATE_SUBMITTED' ? newFold() : apply(newFold(), { kind: 'status', state });
    expect([fold.isActive, fold.isResting]).toEqual([isActive, isResting]);
  });
});

describe('an artifact', () => {
  it('becomes an event with its flags and is part of the task', () => {
    const fold = apply(newFold(), chunk('a', 'one', false), chunk('a', 'two', true, true));
    const [, first, second] = fold.takeDelta().events;
    expect(first?.value().artifactUpdate).toEqual({
      taskId: IDENTITY.id,
      contextId: 'context-1',
      artifact: artifact('a', 'one'),
      append: false,
      lastChunk: false,
    });
    expect(second?.value().artifactUpdate).toMatchObject({ append: true, lastChunk: true });
    expect(taskOf(fold).artifacts).toEqual([artifact('a', 'one', 'two')]);
  });

  it('takes no piece after its last one, but may be made anew', () => {
    const fold = apply(newFold(), chunk('a', 'one', false, true));
    expect(() => apply(fold, chunk('a', 'two'))).toThrow(SealedArtifactError);
    expect(fold.lastSeq).toBe(2);
    apply(fold, chunk('a', 'three', false));
    expect(taskOf(fold).artifacts).toEqual([artifact('a', 'three')]);
  });

  it('may have its flags left out', () => {
    const fold = apply(newFold(), { kind: 'artifact', artifact: artifact('a', 'x') });
    expect(fold.takeDelta().events.at(-1)?.value().artifactUpdate).toMatchObject({ append: false, lastChunk: false });
  });
});

describe('a delta', () => {
  it('is handed out once', () => {
    const fold = newFold();
    fold.takeDelta();
    expect(fold.hasChanges).toBe(false);
    const { events, messages, transitions, previousSeq, firstMessage } = fold.takeDelta();
    expect([events, messages, transitions]).toEqual([[], [], []]);
    expect([previousSeq, firstMessage]).toEqual([1, 2]);
  });

  it('leaves the pieces of a working task in its events', () => {
    const { segments, after } = delta(WORKING, chunk('a', 'x'));
    expect(segments).toEqual([]);
    expect(after.foldedSeq).toBe(0);
  });

  it('stores the pieces when the task rests', () => {
    const { segments, after, firstSegment } = delta(WORKING, chunk('a', 'x'), INPUT_REQUIRED);
    expect(segments).toHaveLength(1);
    expect([after.foldedSeq, after.lastSeq, after.segmentCount, firstSegment]).toEqual([4, 4, 1, 1]);
  });

  it('stores the pieces of a task that works on after 200 events', () => {
    const fold = apply(newFold(), WORKING);
    for (let index = 0; index < 197; index += 1) apply(fold, chunk('a', `${index}`));
    expect(fold.takeDelta().segments).toEqual([]);
    const { segments, after, firstSegment } = apply(fold, chunk('a', 'last')).takeDelta();
    expect(segments).toHaveLength(1);
    expect([after.foldedSeq, after.segmentCount, firstSegment]).toEqual([200, 1, 1]);
    const next = apply(fold, chunk('a', 'more'), COMPLETED).takeDelta();
    expect([next.firstSegment, next.segments.length, next.after.segmentCount]).toEqual([2, 1, 2]);
  });
});

describe('the history in memory', () => {
  it('keeps the newest messages and gives out as many as asked for', () => {
    const fold = newFold({}, []);
    for (let index = 1; index <= 60; index += 1) apply(fold, { kind: 'message', message: message(`m-${index}`) });
    expect(fold.messageCount).toBe(60);
    expect(fold.recent).toHaveLength(RECENT_MESSAGES);
    expect(taskOf(fold, 2).history?.map(({ messageId }) => messageId)).toEqual(['m-59', 'm-60']);
    expect(taskOf(fold, 0).history).toBeUndefined();
    expect(taskOf(fold, 1000).history).toHaveLength(50);
  });
});

const ANY_CHANGE: fc.Arbitrary<TaskChange> = fc.oneof(
  fc.constant(WORKING),
  fc.constant(INPUT_REQUIRED),
  fc.string().map((id) => ({ kind: 'message' as const, message: message(`m${id}`) })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.string(), fc.boolean())
    .map(([id, text, append]) => chunk(id, text, append, false)),
);

describe('a fold restored from what is stored', () => {
  it('goes on exactly where the stored one stood, wherever that was', () => {
    fc.assert(
      fc.property(fc.array(ANY_CHANGE, { maxLength: 25 }), fc.nat(25), fc.array(fc.nat(25)), (changes, cut, takes) => {
        const straight = newFold();
        const stored = newFold();
        const deltas = [stored.takeDelta()];
        for (const [index, change] of changes.slice(0, cut).entries()) {
          apply(straight, change);
          apply(stored, change);
          if (takes.includes(index)) deltas.push(stored.takeDelta());
        }
        deltas.push(stored.takeDelta());
        const last = deltas.at(-1)?.after ?? expect.fail('no delta');
        const events = deltas.flatMap((one) => one.events);
        const restored = TaskFold.restore(IDENTITY, {
          ...last,
          recent: deltas.flatMap((one) => one.messages).slice(-RECENT_MESSAGES),
          segments: deltas.flatMap((one) => one.segments),
          tail: events.filter(({ seq }) => seq > last.foldedSeq),
        });
        expect(restored.hasChanges).toBe(false);
        expect(restored.taskText(50)).toBe(straight.taskText(50));
        for (const change of changes.slice(cut)) {
          apply(straight, change);
          apply(restored, change);
        }
        expect(restored.taskText(50)).toBe(straight.taskText(50));
        expect(restored.takeDelta().after).toMatchObject({
          lastSeq: straight.lastSeq,
          messageCount: straight.messageCount,
          state: straight.state,
        });
      }),
      { numRuns: 60 },
    );
  });
});
