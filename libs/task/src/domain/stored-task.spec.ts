import type { Task } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { StoredTask, type TaskRecord } from './stored-task.js';
import {
  apply,
  artifact,
  AT,
  chunk,
  IDENTITY,
  INPUT_REQUIRED,
  message,
  newFold,
  ORIGIN,
  WORKING,
} from './task-fold.fixture.js';
import type { TaskDelta, TaskFold } from './task-fold.js';

/** The record that PostgreSQL hands out once the deltas are stored. */
function recordOf(deltas: readonly TaskDelta[], members: Partial<TaskRecord> = {}): TaskRecord {
  const after = deltas.at(-1)?.after ?? expect.fail('nothing is stored');
  const lines = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join('\n'));
  const events = deltas.flatMap((delta) => delta.events).filter(({ seq }) => seq > after.foldedSeq);
  return {
    id: IDENTITY.id,
    namespace: 'local',
    owner: 'ada',
    context_id: 'context-1',
    dialect: '1.0',
    executor: 'scripted',
    state: after.state,
    status: after.statusText,
    status_at: new Date(after.statusAt),
    metadata: null,
    request_hash: null,
    last_seq: after.lastSeq,
    folded_seq: after.foldedSeq,
    message_count: after.messageCount,
    segment_count: after.segmentCount,
    created_at: new Date(AT),
    history: deltas.flatMap((delta) => delta.messages).join(','),
    segments: lines(deltas.flatMap((delta) => delta.segments.map(({ mode, body }) => `${mode} ${body}`))),
    tail: lines(events.map(({ text }) => text)),
    ...members,
  };
}

function worked(): { fold: TaskFold; deltas: TaskDelta[] } {
  const fold = apply(newFold(), WORKING, chunk('a', 'one', false), INPUT_REQUIRED);
  const deltas = [fold.takeDelta()];
  apply(fold, { kind: 'message', message: message('m-2') }, WORKING, chunk('a', 'two'), chunk('b', 'x'));
  return { fold, deltas: [...deltas, fold.takeDelta()] };
}

const parsed = (text: string) => JSON.parse(text) as Task;

describe('a stored task', () => {
  it('reads as the fold that was stored, half of its pieces still in the log', () => {
    const { fold, deltas } = worked();
    const task = new StoredTask(recordOf(deltas));
    expect(task.text()).toBe(fold.taskText(50));
    expect(parsed(task.text()).artifacts).toEqual([artifact('a', 'one', 'two'), artifact('b', 'x')]);
  });

  it('reads the same when all of its pieces are stored', () => {
    const fold = apply(newFold(), chunk('a', 'one', false), INPUT_REQUIRED);
    expect(new StoredTask(recordOf([fold.takeDelta()])).text()).toBe(fold.taskText(50));
  });

  it('shows its members', () => {
    const task = new StoredTask(recordOf(worked().deltas, { request_hash: 'h' }));
    expect(task).toMatchObject({
      id: IDENTITY.id,
      contextId: 'context-1',
      namespace: 'local',
      owner: 'ada',
      executor: 'scripted',
      dialect: '1.0',
      state: 'TASK_STATE_WORKING',
      lastSeq: 7,
      requestHash: 'h',
      createdAt: new Date(AT),
      isResting: false,
    });
    const paused = apply(newFold(), INPUT_REQUIRED).takeDelta();
    expect(new StoredTask(recordOf([paused])).isResting).toBe(true);
  });

  it('read without history and artifacts has none', () => {
    const bare = new StoredTask(recordOf(worked().deltas, { history: null, segments: null, tail: null }));
    expect(Object.keys(parsed(bare.text()))).toEqual(['id', 'contextId', 'status']);
  });

  it('marks itself when it stands in for a replay, and keeps its metadata', () => {
    const { deltas } = worked();
    const marked = (metadata: string | null) =>
      parsed(new StoredTask(recordOf(deltas, { metadata })).replacementText()).metadata;
    expect(marked(null)).toEqual({ replay: 'snapshot' });
    expect(marked('{"plan_id":"p"}')).toEqual({ plan_id: 'p', replay: 'snapshot' });
  });

  it('can be shown as it was after its first events', () => {
    const { deltas } = worked();
    const events = deltas.flatMap((delta) => delta.events);
    const task = new StoredTask(recordOf(deltas));
    expect(parsed(task.textAfter(events.slice(0, 3)))).toEqual({
      id: IDENTITY.id,
      contextId: 'context-1',
      status: { state: 'TASK_STATE_WORKING', timestamp: AT },
      artifacts: [artifact('a', 'one')],
    });
    expect(parsed(task.textAfter(events)).artifacts).toEqual(parsed(task.text()).artifacts);
  });

  it('is gone on with where it stands, and a last chunk stays the last one', () => {
    const fold = apply(newFold(), chunk('a', 'one', false, true), INPUT_REQUIRED);
    const again = new StoredTask(recordOf([fold.takeDelta()])).fold();
    expect(again.taskText(50)).toBe(fold.taskText(50));
    expect(again.hasChanges).toBe(false);
    expect(() => again.apply(chunk('a', 'two'), AT, ORIGIN)).toThrow('closed by its last chunk');
    const blank = new StoredTask(recordOf([fold.takeDelta()], { history: null })).fold();
    expect(blank.recent).toEqual([]);
  });
});
