import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXCLAIM_ACTOR, PlanScene } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open({ variables: { SWEEP_SECONDS: '200ms', SHUTDOWN_GRACE_SECONDS: '1s' } });
});

afterAll(async () => {
  await scene.close();
});

/** A command that never ends by itself. */
function endlessActor(): JsonObject {
  const [bump] = EXCLAIM_ACTOR['steps'] as JsonObject[];
  const argv = ['node', '-e', 'setInterval(() => {}, 1000)'];
  return { type: 'tool', steps: [bump ?? {}, { id: 'command', tool: 'builtin/run_command', inputs: { argv } }] };
}

describe('a plan whose task makes no progress for too long', () => {
  it('is cancelled like one whose task is, and an alarm is raised', async () => {
    const example = await scene.example({ actor: endlessActor(), validation: null });
    const plan_id = await scene.use(example, { automation_profile: 'auto' });
    const task = async () => {
      const [row] = await scene.query(
        'SELECT t.id, t.state FROM task t JOIN plan p ON p.task_id = t.id::text WHERE p.id = $1',
        [plan_id],
      );
      return row;
    };
    await expect.poll(async () => (await task())?.['state'], { timeout: 20_000 }).toBe('TASK_STATE_WORKING');
    const id = (await task())?.['id'];
    const stale = `UPDATE task SET status_at = now() - interval '1 hour', progress_at = now() - interval '1 hour'
      WHERE id = $1 AND state = 'TASK_STATE_WORKING'`;
    const isOver = async (): Promise<unknown> => {
      await scene.query(stale, [id]);
      return (await task())?.['state'];
    };
    await expect.poll(isOver, { timeout: 20_000 }).toBe('TASK_STATE_CANCELED');
    const status = await scene.ok('_cleveragents/plan/status', { plan_id });
    expect(JSON.stringify(status)).toContain('cancelled');
    const cancelled = await scene.query("SELECT details FROM audit WHERE event = 'plan_cancelled' AND plan_id = $1", [
      plan_id,
    ]);
    expect(JSON.stringify(cancelled)).toContain('WORKING_LIMIT');
    expect(await scene.query("SELECT 1 FROM audit WHERE event = 'task_overdue' AND task_id = $1", [id])).not.toEqual(
      [],
    );
  });
});
