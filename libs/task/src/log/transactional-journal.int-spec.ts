import { randomUUID } from 'node:crypto';
import { TransactionManager } from '@cleveragents/database';
import { BusinessRuleViolation, DuplicateEntityError, ResourceNotFoundError } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestKey } from '../domain/idempotency.js';
import type { TaskEvent } from '../domain/task-event.js';
import { artifact, chunk, COMPLETED, INPUT_REQUIRED, message, ORIGIN, WORKING } from '../domain/task-fold.fixture.js';
import { TaskExistsError } from '../task-errors.js';
import { TaskJournal, type NewTask, type TaskChange } from '../task-journal.js';
import { callOf, seqOf, StreamReader, TaskPlatform } from '../task-platform.fixture.js';

let platform: TaskPlatform;
let journal: TaskJournal;
let transactions: TransactionManager;

beforeAll(async () => {
  platform = await TaskPlatform.start();
  journal = platform.module.get(TaskJournal);
  transactions = platform.module.get(TransactionManager);
});

afterAll(() => platform.stop());

const NEW: NewTask = {
  owner: 'local-owner',
  namespace: 'local',
  contextId: 'c',
  dialect: '1.0',
  executor: 'plan',
  messages: [message('m-1')],
  metadata: { plan_id: 'p' },
};

const create = (members: Partial<NewTask> = {}) =>
  transactions.run(() => journal.create({ ...NEW, ...members }, ORIGIN));
const append = (id: string, ...changes: TaskChange[]) => transactions.run(() => journal.append(id, changes, ORIGIN));

function watch(id: string): TaskEvent[] {
  const seen: TaskEvent[] = [];
  platform.bus.events(id).subscribe((event) => seen.push(event));
  return seen;
}

describe('a task that is part of a larger transaction', () => {
  it('is created and changed like any other', async () => {
    const id = await create();
    await append(id, { kind: 'message', message: message('m-2') }, WORKING, chunk('a', 'x', false));
    await append(id, chunk('a', 'y'), COMPLETED);
    const task = await platform.get(id);
    expect(task).toMatchObject({ metadata: { plan_id: 'p' }, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(task.artifacts).toEqual([artifact('a', 'x', 'y')]);
    expect(task.history?.map(({ messageId }) => messageId)).toEqual(['m-1', 'm-2']);
    expect(await platform.query('SELECT runner FROM task WHERE id = $1', [id])).toEqual([{ runner: null }]);
  });

  it('is told of after the commit, in order, and never after a rollback', async () => {
    const id = await create();
    const seen = watch(id);
    await transactions.run(async () => {
      await journal.append(id, [WORKING], ORIGIN);
      await journal.append(id, [chunk('a', 'x')], ORIGIN);
      expect(seen).toEqual([]);
    });
    expect(seen.map(({ seq }) => seq)).toEqual([2, 3]);
    const failing = transactions.run(async () => {
      await journal.append(id, [COMPLETED], ORIGIN);
      throw new Error('the rest of the transaction fails');
    });
    await expect(failing).rejects.toThrow('the rest');
    expect(seen).toHaveLength(2);
    expect((await platform.get(id)).status.state).toBe('TASK_STATE_WORKING');
  });

  it('takes nothing after its end, and then nothing of the transaction stands', async () => {
    const id = await create();
    await append(id, COMPLETED);
    for (const change of [WORKING, chunk('a', 'x'), { kind: 'message', message: message('m-2') } as const]) {
      const late = transactions.run(async () => {
        await platform.query('SELECT 1');
        await journal.append(id, [change], ORIGIN);
      });
      await expect(late).rejects.toBeInstanceOf(BusinessRuleViolation);
    }
    expect((await platform.get(id)).history).toHaveLength(1);
  });

  it('must exist', async () => {
    await expect(append(randomUUID(), WORKING)).rejects.toBeInstanceOf(ResourceNotFoundError);
  });

  it('is made once by one request, by the one of them that commits first', async () => {
    const request = { requestKey: requestKey('local-owner', 'k', 'm', { a: 1 }) };
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => create(request)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toBeInstanceOf(TaskExistsError);
      expect(outcome.reason).toBeInstanceOf(DuplicateEntityError);
      expect((outcome.reason as TaskExistsError).taskId).toBe(request.requestKey.taskId);
    }
  });

  it('that many change at once loses none of the changes', async () => {
    const id = await create();
    const reader = new StreamReader(platform.streams.subscribe({ id }, callOf()));
    await reader.seen(1);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        append(id, chunk('a', `${index};`), { kind: 'message', message: message(`x-${index}`) }, INPUT_REQUIRED),
      ),
    );
    const seen = await reader.seen(25);
    expect(seen.map(seqOf)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    reader.leave();
    const task = await platform.get(id);
    const texts = task.artifacts?.[0]?.parts.map((part) => part.text);
    expect(texts?.toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => `${index};`).toSorted());
    expect(task.history).toHaveLength(13);
    const pieces = await platform.query<{ mode: string }>('SELECT mode FROM artifact WHERE task_id = $1 ORDER BY n', [
      id,
    ]);
    expect(pieces.map(({ mode }) => mode)).toEqual(['new', ...Array.from({ length: 11 }, () => 'append')]);
  });
});
