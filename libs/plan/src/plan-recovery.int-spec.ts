import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { JobQueue, RunnerLease } from '@cleveragents/engine';
import type { JsonObject } from '@cleveragents/kernel';
import { makeTestDirectory } from '@cleveragents/testing';
import { GitWorkspace, keptRange, type Sandbox } from '@cleveragents/workspace';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXCLAIM_ACTOR, PlanScene, type Example } from '../../../test/support/plan-scene.js';
import { PLAN_QUEUE } from './plan-queue.js';
import { PlanUpkeep } from './plan-upkeep.js';

const QUICK = { HEARTBEAT_SECONDS: '200ms', SWEEP_SECONDS: '200ms', SHUTDOWN_GRACE_SECONDS: '1s' };

let scene: PlanScene;
let directory: string;

beforeAll(async () => {
  scene = await PlanScene.open({ variables: QUICK });
});

afterAll(async () => {
  await scene.close();
});

beforeEach(async () => {
  directory = await makeTestDirectory();
});

/** Edits a file, then runs a command that never ends the first time and does its work every further time. */
function hangingActor(marker: string): JsonObject {
  const script = `
    const { existsSync, renameSync, writeFileSync } = require('node:fs');
    writeFileSync('half-done.txt', 'half');
    if (existsSync(process.argv[1])) { writeFileSync('out.txt', 'done'); process.exit(0); }
    writeFileSync(process.argv[1] + '.new', String(process.pid));
    renameSync(process.argv[1] + '.new', process.argv[1]);
    setInterval(() => {}, 1000);`;
  const [bump] = EXCLAIM_ACTOR['steps'] as JsonObject[];
  const command = { id: 'command', tool: 'builtin/run_command', inputs: { argv: ['node', '-e', script, marker] } };
  return { type: 'tool', steps: [bump ?? {}, command] };
}

/** A plan in the middle of its second step. */
async function midStep(): Promise<{ example: Example; plan_id: string; pid: number }> {
  const marker = join(directory, 'marker');
  const example = await scene.example({ actor: hangingActor(marker), validation: null });
  const plan_id = await scene.use(example, { automation_profile: 'auto' });
  await fileAppears(marker);
  return { example, plan_id, pid: Number(readFileSync(marker, 'utf8')) };
}

async function fileAppears(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(directory, look);
    function look(): void {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    }
    look();
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const EXECUTED = {
  status: 'execute/complete',
  execution: { tool_calls: 2, checkpoints: 3 },
  progress: [
    { step: 'bump-source', status: 'done' },
    { step: 'command', status: 'done' },
  ],
};

describe('a worker that is lost in the middle of a step', () => {
  it('leaves the plan to another one, which goes on from the last checkpoint', async () => {
    const { plan_id } = await midStep();
    const other = await scene.join(QUICK);
    const { id } = scene.module.get(RunnerLease, { strict: false });
    await scene.query('UPDATE runner SET ended_at = now() WHERE id = $1', [id]);
    expect(await other.atRest(plan_id)).toMatchObject(EXECUTED);
    const { files } = await other.ok('_cleveragents/plan/diff', { plan_id });
    expect((files as JsonObject[]).map(({ path }) => path)).toEqual(['half-done.txt', 'out.txt', 'src/greet.js']);
    await other.stop();
  });
});

describe('a server that is stopped in the middle of a step', () => {
  it('stops the step, and the next server goes on from the last checkpoint', async () => {
    const { plan_id, pid } = await midStep();
    await scene.restart(QUICK);
    expect(isAlive(pid)).toBe(false);
    expect(await scene.atRest(plan_id)).toMatchObject(EXECUTED);
  });
});

describe('a plan that is cancelled in the middle of a step', () => {
  it('is cancelled at once, its command is stopped, and what was done is kept for another start', async () => {
    const { plan_id, pid, example } = await midStep();
    const cancelled = await scene.ok('_cleveragents/plan/cancel', { plan_id, reason: 'wrong idea' });
    expect(cancelled).toMatchObject({
      status: 'execute/cancelled',
      reason: 'wrong idea',
      sandbox: { status: 'preserved', files_modified: 1, checkpoints: 2 },
    });
    expect(await scene.ok('_cleveragents/plan/cancel', { plan_id })).toEqual(cancelled);
    await scene.restart(QUICK);
    expect(isAlive(pid)).toBe(false);
    expect(example.repository.git('status', '--porcelain')).toBe('');

    await scene.ok('_cleveragents/plan/execute', { plan_id, resume: true });
    expect(await scene.atRest(plan_id)).toMatchObject({ ...EXECUTED, attempt: 2 });
  });
});

describe('a worker that is lost between the merge and its record', () => {
  it('is followed by one that finds the merge and applies nothing twice', async () => {
    const example = await scene.example();
    const plan_id = await scene.use(example, { automation_profile: 'auto' });
    await scene.atRest(plan_id);
    const [row] = await scene.query('SELECT sandboxes FROM plan WHERE id = $1', [plan_id]);
    const [sandbox] = JSON.parse(String(row?.['sandboxes'])) as Sandbox[];
    if (sandbox === undefined) throw new Error('no sandbox');
    const workspace = scene.module.get(GitWorkspace, { strict: false });
    await workspace.keepRef(sandbox);
    const author = { name: 'Ada', email: 'ada@example.com' };
    await workspace.merge({ name: 'repo', sandboxId: sandbox.id, range: keptRange(sandbox), message: 'merge', author });
    await scene.query(
      `UPDATE plan SET phase = 'apply', state = 'processing', awaiting = NULL, is_committed = true,
         task_state = 'TASK_STATE_WORKING', lease_owner = 'gone' WHERE id = $1`,
      [plan_id],
    );
    await scene.module.get(PlanUpkeep).sweep(() => false);
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'apply/applied' });
    expect(example.repository.git('log', '--merges', '--oneline', 'main').split('\n')).toHaveLength(1);
  });
});

describe('a job that is lost with the worker that took it', () => {
  it('is sent again by the sweep of another one, long before the job itself would come back', async () => {
    const api = await PlanScene.open({ variables: { ...QUICK, ROLE: 'api' } });
    const plan_id = await api.use(await api.example(), { automation_profile: 'auto' });
    // As a worker leaves it that has fetched the job and dies before it claims the plan.
    await api.query(`UPDATE pgboss.job SET state = 'active', started_on = now() WHERE data ->> 'plan_id' = $1`, [
      plan_id,
    ]);
    const worker = await api.join({ ...QUICK, LEASE_SECONDS: '1s' });
    expect(await worker.atRest(plan_id)).toMatchObject({ status: 'execute/complete' });
    await worker.stop();
    await api.close();
  });

  it('does not hold up other plans where it turns up while its plan is under way', async () => {
    const { plan_id } = await midStep();
    await scene.module.get(JobQueue, { strict: false }).send(PLAN_QUEUE, { plan_id });
    const other = await scene.use(await scene.example(), { automation_profile: 'auto' });
    expect(await scene.atRest(other)).toMatchObject({ status: 'execute/complete' });
    await scene.ok('_cleveragents/plan/cancel', { plan_id });
  });
});

describe('time', () => {
  it('ends the task of a plan that nobody answers, and the plan can still be taken up in a new one', async () => {
    const example = await scene.example();
    const plan_id = await scene.use(example);
    const waiting = await scene.atRest(plan_id);
    await scene.query("UPDATE plan SET resting_since = now() - interval '8 days' WHERE id = $1", [plan_id]);
    await scene.module.get(PlanUpkeep).sweep(() => false);
    const [task] = await scene.query('SELECT state FROM task WHERE id = $1', [waiting['task_id']]);
    expect(task).toEqual({ state: 'TASK_STATE_FAILED' });
    const taken = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(taken).toMatchObject({ status: 'execute/complete' });
    expect(taken['task_id']).not.toBe(waiting['task_id']);
  });

  it('removes the sandbox of a plan that was cancelled a week ago', async () => {
    const example = await scene.example();
    const plan_id = await scene.use(example, { automation_profile: 'auto' });
    await scene.atRest(plan_id);
    await scene.ok('_cleveragents/plan/cancel', { plan_id });
    await scene.query("UPDATE plan SET ended_at = now() - interval '8 days' WHERE id = $1", [plan_id]);
    await scene.module.get(PlanUpkeep).sweep(() => false);
    expect(example.repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    const diff = await scene.ok('_cleveragents/plan/diff', { plan_id });
    expect(diff).toMatchObject({ files: [], warnings: ['The sandbox is not there any more'] });
    const error = await scene.refused('_cleveragents/plan/execute', { plan_id, resume: true });
    expect(error).toMatchObject({ code: -32004 });
  });
});
