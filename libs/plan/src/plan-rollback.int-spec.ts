import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlanScene, member, textOf, type Example } from '../../../test/support/plan-scene.js';

const ROLLBACK = '_cleveragents/plan/rollback';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open();
});

afterAll(async () => {
  await scene.close();
});

async function executed(example: Example, params: JsonObject = {}): Promise<string> {
  const plan_id = await scene.use(example, { automation_profile: 'auto', ...params });
  expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete' });
  return plan_id;
}

async function checkpointsOf(plan_id: string): Promise<JsonObject[]> {
  return (await scene.ok(ROLLBACK, { plan_id, list: true }))['checkpoints'] as JsonObject[];
}

function idOf(checkpoints: readonly JsonObject[], index: number): string {
  return textOf(checkpoints[index] ?? {}, 'id');
}

function eventsOf(plan_id: string): Promise<JsonObject[]> {
  return scene.query('SELECT event, method FROM audit WHERE plan_id = $1 AND method = $2', [plan_id, ROLLBACK]);
}

/** Everything that is stored of a plan. */
async function stored(plan_id: string): Promise<JsonObject[][]> {
  const tables = ['plan_decision', 'plan_step', 'plan_checkpoint', 'plan_validation_result'];
  const rows = tables.map((table) =>
    scene.query(`SELECT * FROM ${table} WHERE plan_id = $1 ORDER BY 1, 2, 3`, [plan_id]),
  );
  return Promise.all([scene.query('SELECT * FROM plan WHERE id = $1', [plan_id]), ...rows]);
}

describe('the worked example, taken back and forth', () => {
  let example: Example;
  let plan_id: string;
  let root: string;
  let before: { commit: string; tree: string };

  beforeAll(async () => {
    example = await scene.example();
    const { repository } = example;
    before = { commit: repository.head('main'), tree: repository.git('rev-parse', 'main^{tree}') };
    plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    const { sandbox } = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    root = textOf(sandbox as JsonObject, 'path');
  });

  const inSandbox = (...args: string[]): string => example.repository.git('-C', root, ...args);

  it('lists its checkpoints, oldest first', async () => {
    expect(await checkpointsOf(plan_id)).toMatchObject([
      { label: 'sandbox created', step: null, commit: before.commit },
      { label: 'step bump-source', step: 'bump-source' },
      { label: 'step bump-test', step: 'bump-test' },
      { label: 'step changelog', step: 'changelog' },
    ]);
  });

  it('tells beforehand what a rollback would do, and does nothing then', async () => {
    const checkpoint_id = idOf(await checkpointsOf(plan_id), 1);
    const was = await stored(plan_id);
    expect(await scene.ok(ROLLBACK, { plan_id, checkpoint_id, dry_run: true })).toMatchObject({
      status: 'execute/complete',
      dry_run: true,
      rollback_summary: { checkpoint: checkpoint_id, files_reverted: 2 },
    });
    expect(await stored(plan_id)).toEqual(was);
    expect(inSandbox('diff', '--name-only', 'main')).toContain('CHANGELOG.md');
    expect(await eventsOf(plan_id)).toEqual([]);
  });

  it('goes back to its second checkpoint', async () => {
    const checkpoints = await checkpointsOf(plan_id);
    const checkpoint_id = idOf(checkpoints, 1);
    const result = await scene.ok(ROLLBACK, { plan_id, checkpoint_id });
    expect(result).toMatchObject({
      plan_id,
      status: 'execute/queued',
      rollback_summary: { plan: plan_id, checkpoint: checkpoint_id, label: 'step bump-source', files_reverted: 2 },
      changes_reverted: [
        { file: 'CHANGELOG.md', action: 'removed' },
        { file: 'test/greet.test.js', action: 'restored' },
      ],
      impact: { child_plans_invalidated: 0, sandbox: 'reset', decisions_after_cp: 2, tool_calls_after_cp: 2 },
      post_rollback_state: { phase: 'execute', state: 'queued', checkpoints_remaining: 2 },
      checkpoints: checkpoints.slice(0, 2),
    });
    expect(inSandbox('status', '--porcelain')).toBe('');
    expect(inSandbox('diff', '--name-only', 'main')).toBe('src/greet.js');
    expect(example.repository.head('main')).toBe(before.commit);
  });

  it('waits then for a person, with the later decisions superseded and one audit record', async () => {
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({
      awaiting: { kind: 'phase_gate' },
      progress: [{ status: 'done' }, { status: 'queued' }, { status: 'queued' }],
      execution: { files_modified: 0, checkpoints: 2 },
      validation: { required_passed: 0 },
      allowed_methods: expect.arrayContaining(['plan/execute', 'plan/rollback']) as string[],
    });
    const { summary } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(summary).toMatchObject({ nodes: 6, superseded: 2 });
    expect(await scene.ok('_cleveragents/plan/diff', { plan_id })).toMatchObject({
      diff_summary: { files_changed: 1 },
    });
    expect(await eventsOf(plan_id)).toEqual([{ event: 'plan_rolled_back', method: ROLLBACK }]);
  });

  it('runs the steps that were taken back again, and keeps the one before', async () => {
    const kept = (await checkpointsOf(plan_id)).slice(0, 2);
    const result = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(result).toMatchObject({ status: 'execute/complete' });
    const checkpoints = await checkpointsOf(plan_id);
    expect(checkpoints.slice(0, 2)).toEqual(kept);
    expect(checkpoints).toHaveLength(4);
    expect(await scene.ok('_cleveragents/plan/diff', { plan_id })).toMatchObject({
      diff_summary: { files_changed: 3, insertions: 5, deletions: 2 },
    });
  });

  it('is applied after that as it was reviewed', async () => {
    const { changeset_hash } = await scene.ok('_cleveragents/plan/diff', { plan_id });
    const applied = await scene.ok('_cleveragents/plan/apply', { plan_id, expected_changeset: changeset_hash });
    expect(applied).toMatchObject({ status: 'apply/applied' });
    expect(example.repository.git('log', '-1', '--format=%P', 'main').split(' ')).toHaveLength(2);
  });

  it('is not rolled back once it is applied, and says what can be done', async () => {
    const error = await scene.refused(ROLLBACK, { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { status: 'apply/applied', hint: 'undo_apply' } });
  });

  it('tells beforehand what an undo would take back', async () => {
    const merge = example.repository.head('main');
    expect(await scene.ok(ROLLBACK, { plan_id, undo_apply: true, dry_run: true })).toMatchObject({
      dry_run: true,
      rollback_summary: { checkpoint: null, files_reverted: 3 },
    });
    expect(example.repository.head('main')).toBe(merge);
  });

  it('is undone by a commit that brings the tree back, in a new task of the same context', async () => {
    const { repository } = example;
    const merge = repository.head('main');
    const former = await scene.ok('_cleveragents/plan/status', { plan_id });
    const result = await scene.ok(ROLLBACK, { plan_id, undo_apply: true });
    const commit = repository.head('main');
    expect(result).toMatchObject({
      status: 'apply/applied',
      reverted_at: expect.any(String) as string,
      revert_commit: commit,
      commits: [{ resource: `${example.namespace}/repo`, branch: 'main', commit, previous: merge }],
      rollback_summary: { files_reverted: 3 },
    });
    expect(repository.git('rev-parse', 'main^{tree}')).toBe(before.tree);
    expect(repository.git('log', '-1', '--format=%P', 'main')).toBe(merge);
    expect(repository.git('status', '--porcelain')).toBe('');
    const status = await scene.ok('_cleveragents/plan/status', { plan_id });
    expect(status).toMatchObject({ reverted_at: result['reverted_at'], revert_commit: commit });
    expect(status['task_ids']).toEqual([former['task_id'], result['task_id']]);
    expect(await scene.ok('GetTask', { id: result['task_id'] })).toMatchObject({
      contextId: plan_id,
      status: { state: 'TASK_STATE_COMPLETED' },
      metadata: { referenceTaskIds: [former['task_id']] },
    });
    const events = await eventsOf(plan_id);
    expect(events.filter(({ event }) => event === 'plan_reverted')).toHaveLength(1);
  });

  it('is undone once', async () => {
    const commit = example.repository.head('main');
    const error = await scene.refused(ROLLBACK, { plan_id, undo_apply: true });
    expect(error).toMatchObject({ code: -32004, data: { status: 'apply/applied' } });
    expect(error.data['allowed']).not.toContain('plan/rollback');
    expect(example.repository.head('main')).toBe(commit);
  });
});

describe('plan/rollback', () => {
  it('takes back the last step when no checkpoint is named, and the one before when it is called again', async () => {
    const plan_id = await executed(await scene.example());
    const last = await scene.ok(ROLLBACK, { plan_id });
    expect(last['changes_reverted']).toEqual([{ file: 'CHANGELOG.md', action: 'removed' }]);
    const next = await scene.ok(ROLLBACK, { plan_id });
    expect(next['changes_reverted']).toEqual([{ file: 'test/greet.test.js', action: 'restored' }]);
    await scene.ok(ROLLBACK, { plan_id });
    const error = await scene.refused(ROLLBACK, { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { status: 'execute/queued' } });
  });

  it('makes a failed plan one that waits, from the checkpoint that is named by its beginning', async () => {
    const example = await scene.example({ validation: ['node', '-e', 'process.exit(3)'] });
    const plan_id = await scene.use(example, { automation_profile: 'auto' });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/errored' });
    const checkpoint_id = idOf(await checkpointsOf(plan_id), 0)
      .slice(3)
      .toLowerCase();
    expect(await scene.ok(ROLLBACK, { plan_id, checkpoint_id })).toMatchObject({
      status: 'execute/queued',
      rollback_summary: { files_reverted: 3 },
    });
    const status = await scene.ok('_cleveragents/plan/status', { plan_id });
    expect(status).not.toHaveProperty('error');
    expect(status).toMatchObject({ awaiting: { kind: 'phase_gate' } });
  });

  it('brings all repositories back together', async () => {
    const one = await scene.example();
    const other = await scene.example();
    const plan_id = await executed(one, { project_names: [one.project, other.project] });
    const checkpoints = await checkpointsOf(plan_id);
    const index = checkpoints.findIndex(({ step }) => step === 'bump-test');
    const result = await scene.ok(ROLLBACK, { plan_id, checkpoint_id: idOf(checkpoints, index) });
    expect(result).toMatchObject({
      rollback_summary: { files_reverted: 4 },
      impact: { tool_calls_after_cp: 4 },
      post_rollback_state: { checkpoints_remaining: 4 },
    });
    const again = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(again).toMatchObject({ status: 'execute/complete' });
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ artifacts: 6 });
    await scene.ok(ROLLBACK, { plan_id, undo_apply: true });
    for (const { repository } of [one, other])
      expect(repository.git('ls-tree', '--name-only', 'main')).not.toContain('CHANGELOG');
  });

  it('takes a plan that nobody attends back too; its task that has failed stays as it is', async () => {
    const example = await scene.example({ validation: ['node', '-e', 'process.exit(3)'] });
    const plan_id = await scene.use(example, { automation_profile: 'ci' });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/errored' });
    expect(await scene.ok(ROLLBACK, { plan_id })).toMatchObject({ status: 'execute/queued' });
  });

  it('refuses a checkpoint that is not the plan’s, a name that is too short, and two wishes at once', async () => {
    const plan_id = await executed(await scene.example());
    const foreign = idOf(await checkpointsOf(await executed(await scene.example())), 0);
    expect(await scene.refused(ROLLBACK, { plan_id, checkpoint_id: foreign })).toMatchObject({
      code: -32001,
      data: { kind: 'checkpoint', checkpoint_id: foreign },
    });
    expect(await scene.refused(ROLLBACK, { plan_id, checkpoint_id: 'cp1' })).toMatchObject({ code: -32602 });
    expect(await scene.refused(ROLLBACK, { plan_id, list: true, undo_apply: true })).toMatchObject({ code: -32602 });
  });

  it('refuses a plan without a sandbox, and an undo of what is not applied', async () => {
    const plan_id = await scene.use(await scene.example({ automation_profile: 'manual' }));
    expect(await scene.refused(ROLLBACK, { plan_id })).toMatchObject({
      code: -32004,
      data: { status: 'strategize/queued' },
    });
    expect(await scene.refused(ROLLBACK, { plan_id, undo_apply: true })).toMatchObject({ code: -32004 });
    await scene.ok('_cleveragents/plan/cancel', { plan_id });
    expect(await scene.refused(ROLLBACK, { plan_id })).toMatchObject({ code: -32004, data: { hint: 'resume:true' } });
  });

  it('changes nothing when the sandbox has been removed behind its back', async () => {
    const example = await scene.example();
    const plan_id = await executed(example);
    const { sandbox } = await scene.ok('_cleveragents/plan/execute', { plan_id });
    example.repository.git('worktree', 'remove', '--force', textOf(sandbox as JsonObject, 'path'));
    const was = await stored(plan_id);
    const error = await scene.refused(ROLLBACK, { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { hint: 'plan/execute' } });
    expect(await stored(plan_id)).toEqual(was);
  });

  it('is for who made the plan, and of others’ plans for maintainers; so is undoing for maintainers alone', async () => {
    const example = await scene.example();
    const role = (id: string, name: 'viewer' | 'operator' | 'maintainer') => member(id, { [example.namespace]: name });
    const maker = role('maker', 'operator');
    const plan_id = await scene.use(example, { automation_profile: 'auto' }, maker);
    await scene.atRest(plan_id);
    const other = await scene.refused(ROLLBACK, { plan_id, list: true }, role('other', 'operator'));
    expect(other).toMatchObject({ code: -32003, data: { required_role: 'maintainer' } });
    expect(await scene.refused(ROLLBACK, { plan_id }, role('viewer', 'viewer'))).toMatchObject({ code: -32003 });
    expect(await scene.refused(ROLLBACK, { plan_id }, member('stranger', { else: 'operator' }))).toMatchObject({
      code: -32001,
    });
    expect(await scene.ok(ROLLBACK, { plan_id, dry_run: true }, maker)).toMatchObject({ dry_run: true });
    await scene.ok('_cleveragents/plan/apply', { plan_id }, role('boss', 'maintainer'));
    expect(await scene.refused(ROLLBACK, { plan_id, undo_apply: true }, maker)).toMatchObject({ code: -32003 });
    expect(await scene.ok(ROLLBACK, { plan_id, undo_apply: true }, role('boss', 'maintainer'))).toMatchObject({
      plan_id,
    });
  });
});

describe('undoing an applied plan', () => {
  async function applied(example: Example): Promise<string> {
    const plan_id = await executed(example);
    await scene.ok('_cleveragents/plan/apply', { plan_id });
    return plan_id;
  }

  it('keeps what came after', async () => {
    const example = await scene.example();
    const plan_id = await applied(example);
    example.repository.write({ 'LATER.md': 'later\n' });
    example.repository.commit('later');
    await scene.ok(ROLLBACK, { plan_id, undo_apply: true });
    expect(example.repository.git('show', 'main:LATER.md')).toBe('later');
    expect(example.repository.git('show', 'main:src/greet.js')).not.toContain("'!'");
  });

  it('names every conflict with what came after, and touches nothing', async () => {
    const example = await scene.example();
    const plan_id = await applied(example);
    example.repository.write({ 'src/greet.js': '// rewritten\n' });
    example.repository.commit('rewritten');
    const commit = example.repository.head('main');
    const error = await scene.refused(ROLLBACK, { plan_id, undo_apply: true });
    expect(error).toMatchObject({
      code: -32008,
      data: { plan_id, reason: 'MERGE_CONFLICT', conflicts: [{ path: 'src/greet.js' }] },
    });
    expect(example.repository.head('main')).toBe(commit);
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).not.toHaveProperty('reverted_at');
  });

  it('refuses a target with uncommitted changes in the files concerned', async () => {
    const example = await scene.example();
    const plan_id = await applied(example);
    example.repository.write({ 'src/greet.js': '// mine\n' });
    const error = await scene.refused(ROLLBACK, { plan_id, undo_apply: true });
    expect(error).toMatchObject({ code: -32004, data: { reason: 'TARGET_DIRTY' } });
    example.repository.git('checkout', '--', '.');
    expect(await scene.ok(ROLLBACK, { plan_id, undo_apply: true })).toMatchObject({ status: 'apply/applied' });
  });

  it('makes one commit of two calls at the same time', async () => {
    const example = await scene.example();
    const plan_id = await applied(example);
    const calls = [1, 2].map(() => scene.call(ROLLBACK, { plan_id, undo_apply: true }));
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => 'error' in answer)).toMatchObject([{ error: { code: -32004 } }]);
    expect(example.repository.git('log', '--format=%s', 'main').match(/^Undo plan/gm)).toHaveLength(1);
  });
});
