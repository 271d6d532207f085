import type { ListTasksResponse, TaskState } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE, callOf, saying, STRANGER, TaskPlatform } from './task-platform.fixture.js';
import { TaskCounts } from './task-counts.js';

let platform: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start({ SWEEP_SECONDS: '3600s' });
});

afterAll(() => platform.stop());

async function total(params: object, caller = callOf()): Promise<number> {
  const { text } = await platform.tasks.list({ ...params, pageSize: 1 }, caller);
  return (JSON.parse(text) as ListTasksResponse).totalSize;
}

/** The totals that a caller can ask for, and the same by looking at every task. */
async function totals(): Promise<{ told: number[]; real: number[] }> {
  const told: number[] = [];
  const real: number[] = [];
  const states: (TaskState | undefined)[] = [undefined, 'TASK_STATE_COMPLETED', 'TASK_STATE_WORKING'];
  for (const [caller, tenant] of [[callOf()], [callOf({ principal: STRANGER })], [callOf(), 'acme']] as const) {
    for (const status of [...states, 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED'] as const) {
      const filter = { ...(tenant === undefined ? {} : { tenant }), ...(status === undefined ? {} : { status }) };
      told.push(await total(filter, caller));
      const [row] = await platform.query<{ n: string }>(
        'SELECT count(*) AS n FROM task WHERE CASE WHEN $1::text IS NULL THEN owner = $2 ELSE namespace = $1 END AND ($3::text IS NULL OR state = $3)',
        [tenant ?? null, caller.principal.id, status ?? null],
      );
      real.push(Number(row?.n));
    }
  }
  return { told, real };
}

describe('the total of a list', () => {
  it('is exact whatever happens to the tasks, before and after the notes are summed up', async () => {
    const counts = platform.module.get(TaskCounts);
    const stranger = callOf({ principal: STRANGER });
    const waiting = await platform.send(saying('ask: q?'));
    const working = await platform.send(saying('slow: 60000', {}, AT_ONCE));
    await Promise.all(Array.from({ length: 20 }, (_, n) => platform.send(saying(`echo: ${n}`))));
    await platform.send(saying('echo: x'), stranger);
    await platform.send(saying('ask: x', {}, { tenant: 'acme' }));
    const before = await totals();
    expect(before.told).toEqual(before.real);
    expect(before.told.slice(0, 3)).toEqual([23, 20, 1]);
    await counts.sumUp();
    expect(await totals()).toEqual(before);
    expect(await platform.query('SELECT 1 FROM task_count_change')).toEqual([]);

    await platform.tasks.cancel({ id: waiting.id }, callOf());
    await platform.tasks.cancel({ id: working.id }, callOf());
    const after = await totals();
    expect(after.told).toEqual(after.real);
    await Promise.all([counts.sumUp(), counts.sumUp(), platform.send(saying('echo: y'))]);
    const last = await totals();
    expect(last.told).toEqual(last.real);
  });

  it('counts nothing twice for a message that is sent twice', async () => {
    const before = await total({});
    const same = saying('echo: once');
    await Promise.all([platform.send(same), platform.send(same)]);
    await platform.send(same);
    expect(await total({})).toBe(before + 1);
  });
});
