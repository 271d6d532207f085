import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTE, PlanScene, member, textOf, type Example } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open();
});

afterAll(async () => {
  await scene.close();
});

describe('the worked example: a deterministic actor, no network, no model', () => {
  let example: Example;
  let used: JsonObject;
  let plan_id: string;
  let firstCommit: string;

  beforeAll(async () => {
    example = await scene.example();
    firstCommit = example.repository.head();
    used = await scene.ok('_cleveragents/plan/use', {
      action_name: example.action,
      project_names: example.project,
      arguments: { note: NOTE },
    });
    plan_id = textOf(used, 'plan_id');
  });

  it('answers plan/use with what was frozen', () => {
    const short = plan_id.slice(0, 8).toLowerCase();
    expect(used).toEqual({
      plan_id,
      namespaced_name: `${example.namespace}/exclaim-${short}`,
      phase: 'strategize',
      state: 'queued',
      status: 'strategize/queued',
      action: example.action,
      project: example.project,
      projects: [example.project],
      automation_profile: 'supervised',
      attempt: 1,
      inputs: { note: NOTE },
      actors: { strategy: example.action, execution: example.action, estimation: null },
      automation: { profile: 'supervised', source: 'default', read_only: false },
      context: { resources: 1, indexed_files: null, view: 'strategize', hot_token_budget: null },
      task_id: expect.any(String) as string,
      next_steps: ['plan/execute', 'plan/status', 'plan/tree'],
      warnings: [],
    });
  });

  it('starts alone under the supervised profile and rests before the execute gate', async () => {
    expect(await scene.atRest(plan_id)).toMatchObject({
      status: 'strategize/complete',
      awaiting: { kind: 'phase_gate' },
      allowed_methods: expect.arrayContaining(['plan/execute', 'plan/cancel', 'plan/prompt']) as string[],
      progress: [
        { step: 'bump-source', status: 'queued' },
        { step: 'bump-test', status: 'queued' },
        { step: 'changelog', status: 'queued' },
      ],
    });
  });

  it('has no changes and no sandbox before it is executed', async () => {
    const diff = await scene.ok('_cleveragents/plan/diff', { plan_id });
    expect(diff).toMatchObject({ diff_summary: { files_changed: 0 }, files: [], changeset_hash: null });
    expect(diff['warnings']).toEqual(['Nothing has been carried out yet']);
  });

  it('plans by the first possible strategy, with one decision for each of its steps', async () => {
    const { tree, summary } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(tree).toMatchObject({
      type: 'prompt_definition',
      description: 'End the greeting with an exclamation mark',
      children: [
        {
          type: 'strategy_choice',
          description: 'edit-in-place',
          confidence: 0.95,
          children: Array.from({ length: 3 }, () => ({ type: 'implementation_choice', children: [] })) as JsonObject[],
        },
      ],
    });
    expect(summary).toEqual({ nodes: 5, depth: 3, child_plans: 0, invariants: 0, superseded: 0 });
  });

  it('explains the strategy by its two alternatives and the three decisions that rest on it', async () => {
    const { decision_ids } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    const { strategy } = decision_ids as Record<string, string>;
    const decision = await scene.ok('_cleveragents/plan/explain', { plan_id, decision_id: strategy });
    expect(decision).toMatchObject({
      type: 'strategy_choice',
      chosen: 'edit-in-place',
      alternatives: [
        { index: 1, description: 'edit-in-place', chosen: true },
        { index: 2, description: 'new-module', chosen: false, reason_rejected: 'an earlier strategy was possible' },
      ],
      impact: { downstream_decisions: 3, downstream_child_plans: 0, artifacts_produced: 0 },
      sequence: 2,
      sequence_total: 5,
    });
  });

  it('executes in a worktree of its own and leaves the repository untouched', async () => {
    const executed = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(executed).toMatchObject({
      status: 'execute/complete',
      sandbox: { strategy: 'git_worktree', branch: `cleveragents/plan-${plan_id}`, status: 'active' },
      hint: 'plan/apply',
      progress: Array.from({ length: 4 }, () => ({ status: 'done' })) as JsonObject[],
    });
    expect(example.repository.head('main')).toBe(firstCommit);
    expect(example.repository.git('status', '--porcelain')).toBe('');
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({
      awaiting: { kind: 'phase_gate' },
      execution: { tool_calls: 3, files_modified: 3, checkpoints: 4 },
      validation: { required_passed: 1, required_failed: 0, informational_failed: 0 },
    });
  });

  it('makes a checkpoint at the start and after each writing step', async () => {
    const rows = await scene.query('SELECT ordinal, step_id FROM plan_checkpoint WHERE plan_id = $1 ORDER BY ordinal', [
      plan_id,
    ]);
    expect(rows).toEqual([
      { ordinal: 0, step_id: null },
      { ordinal: 1, step_id: 'bump-source' },
      { ordinal: 2, step_id: 'bump-test' },
      { ordinal: 3, step_id: 'changelog' },
    ]);
  });

  it('records one tool call under each step', async () => {
    const { summary, tree } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(summary).toMatchObject({ nodes: 8, depth: 4 });
    expect(JSON.stringify(tree).match(/"tool_invocation"/g)).toHaveLength(3);
  });

  it('shows the diff that git shows', async () => {
    const diff = await scene.ok('_cleveragents/plan/diff', { plan_id, format: 'unified' });
    expect(diff['diff_summary']).toEqual({
      plan: plan_id,
      project: example.project,
      files_changed: 3,
      insertions: 5,
      deletions: 2,
      net_change: 3,
    });
    expect(diff['files']).toEqual([
      { path: 'CHANGELOG.md', change: '+3 -0', status: 'added', insertions: 3, deletions: 0 },
      { path: 'src/greet.js', change: '+1 -1', status: 'modified', insertions: 1, deletions: 1 },
      { path: 'test/greet.test.js', change: '+1 -1', status: 'modified', insertions: 1, deletions: 1 },
    ]);
    expect(textOf(diff, 'patch')).toContain(`+- ${NOTE}`);
    expect(diff).toMatchObject({ base_commit: firstCommit, target_moved: false, truncated: false });
  });

  it('has no effect when it is executed again', async () => {
    const again = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(again).toMatchObject({ status: 'execute/complete', hint: 'plan/apply' });
  });

  it('refuses to apply anything but what was reviewed', async () => {
    const error = await scene.refused('_cleveragents/plan/apply', {
      plan_id,
      expected_changeset: `sha256:${'0'.repeat(64)}`,
    });
    expect(error).toMatchObject({ code: -32004, data: { status: 'execute/complete' } });
    expect(example.repository.head('main')).toBe(firstCommit);
  });

  it('applies by a merge commit and removes the worktree', async () => {
    const { changeset_hash } = await scene.ok('_cleveragents/plan/diff', { plan_id });
    const applied = await scene.ok('_cleveragents/plan/apply', { plan_id, expected_changeset: changeset_hash });
    expect(applied).toMatchObject({
      status: 'apply/applied',
      artifacts: 3,
      changes: { insertions: 5, deletions: 2 },
      sandbox_cleanup: { worktree: 'removed', branch: 'merged to main', checkpoint: 'archived' },
      commits: [{ resource: `${example.namespace}/repo`, branch: 'main', previous: firstCommit }],
      lifecycle: { decisions_made: 8 },
    });
    const parents = example.repository.git('log', '-1', '--format=%P', 'main').split(' ');
    expect(parents).toHaveLength(2);
    expect(parents[0]).toBe(firstCommit);
    expect(example.repository.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(example.repository.git('status', '--porcelain')).toBe('');
    expect(example.repository.git('show', 'main:src/greet.js')).toContain("name + '!'");
  });

  it('still shows its diff, and takes no further change', async () => {
    const diff = await scene.ok('_cleveragents/plan/diff', { plan_id });
    expect(diff).toMatchObject({ status: 'apply/applied', diff_summary: { files_changed: 3 } });
    for (const method of ['execute', 'apply', 'cancel']) {
      const error = await scene.refused(`_cleveragents/plan/${method}`, { plan_id });
      expect(error).toMatchObject({ code: -32004, data: { status: 'apply/applied' } });
    }
  });

  it('leaves one audit record for each call that changed it', async () => {
    const events = await scene.query(
      "SELECT method, event FROM audit WHERE plan_id = $1 AND event LIKE 'plan_%' AND method IS NOT NULL ORDER BY id",
      [plan_id],
    );
    expect(events).toEqual([
      { method: '_cleveragents/plan/use', event: 'plan_created' },
      { method: '_cleveragents/plan/execute', event: 'plan_executed' },
      { method: '_cleveragents/plan/apply', event: 'plan_applied' },
    ]);
  });
});

describe('plan/use', () => {
  it('refuses arguments that the action does not declare, and values that would have to be converted', async () => {
    const example = await scene.example();
    const error = await scene.refused('_cleveragents/plan/use', {
      action_name: example.action,
      project_names: [example.project],
      arguments: { note: 85, colour: 'red' },
    });
    expect(error).toMatchObject({ code: -32602 });
    expect(error.data['errors']).toEqual([
      { path: 'arguments.colour', message: 'is not an argument of this action' },
      { path: 'arguments.note', message: 'must be text' },
    ]);
  });

  it('refuses an unknown automation profile and never falls back to another', async () => {
    const example = await scene.example();
    const error = await scene.refused('_cleveragents/plan/use', {
      action_name: example.action,
      project_names: [example.project],
      arguments: { note: NOTE },
      automation_profile: 'reckless',
    });
    expect(error.code).toBe(-32602);
  });

  it('makes one plan of two requests under the same key, and refuses the key for another request', async () => {
    const example = await scene.example();
    const first = await scene.use(example, { idempotency_key: 'once' });
    expect(await scene.use(example, { idempotency_key: 'once' })).toBe(first);
    const error = await scene.refused('_cleveragents/plan/use', {
      action_name: example.action,
      project_names: [example.project],
      arguments: { note: 'another note' },
      idempotency_key: 'once',
    });
    expect(error).toMatchObject({ code: -32602, data: { reason: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('makes one plan of two equal requests at the same moment', async () => {
    const example = await scene.example();
    const uses = [scene.use(example, { idempotency_key: 'twins' }), scene.use(example, { idempotency_key: 'twins' })];
    const [first, second] = await Promise.all(uses);
    expect(second).toBe(first);
  });

  it('lets an action that serves once make one plan', async () => {
    const example = await scene.example({ action: { reusable: false } });
    const params = { action_name: example.action, project_names: [example.project], arguments: { note: NOTE } };
    const calls = [scene.call('_cleveragents/plan/use', params), scene.call('_cleveragents/plan/use', params)];
    const errors = (await Promise.all(calls)).filter((answer) => 'error' in answer);
    expect(errors).toMatchObject([{ error: { code: -32004, data: { reason: 'ACTION_USED' } } }]);
  });

  it('refuses an action that is archived, and a project without resources', async () => {
    const archived = await scene.example({ action: { state: 'archived' } });
    const params = { action_name: archived.action, project_names: [archived.project], arguments: { note: NOTE } };
    const refused = await scene.refused('_cleveragents/plan/use', params);
    expect(refused).toMatchObject({ code: -32004, data: { reason: 'ACTION_NOT_AVAILABLE', state: 'archived' } });

    const example = await scene.example();
    const empty = `${example.namespace}/empty`;
    await scene.ok('_cleveragents/registry/project/add', { name: empty, resources: [] });
    const error = await scene.refused('_cleveragents/plan/use', {
      ...params,
      action_name: example.action,
      project_names: [empty],
    });
    expect(error).toMatchObject({ code: -32004, data: { reason: 'EMPTY_PROJECT' } });
  });

  it('works on what was registered when it was made', async () => {
    const example = await scene.example({ automation_profile: 'manual' });
    const plan_id = await scene.use(example);
    await scene.query(
      "UPDATE registry_entity SET spec = replace(spec, 'edit-in-place', 'changed') WHERE namespace = $1",
      [example.namespace],
    );
    await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    const { tree } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(JSON.stringify(tree)).toContain('edit-in-place');
  });

  it('shows a plan only to those who may see all of its projects', async () => {
    const example = await scene.example();
    const stranger = member('stranger', { elsewhere: 'owner' });
    const viewer = member('viewer', { [example.namespace]: 'viewer' });
    const plan_id = await scene.use(example);
    const invisible = await scene.refused('_cleveragents/plan/status', { plan_id }, stranger);
    const missing = await scene.refused(
      '_cleveragents/plan/status',
      { plan_id: '01HZZZZZZZZZZZZZZZZZZZZZZZ' },
      stranger,
    );
    expect(invisible).toMatchObject({ code: -32001, message: missing.message, data: { plan_id } });
    expect(await scene.ok('_cleveragents/plan/status', { plan_id }, viewer)).toMatchObject({ plan_id });
    const refused = await scene.refused('_cleveragents/plan/execute', { plan_id }, viewer);
    expect(refused).toMatchObject({ code: -32003, data: { required_role: 'operator' } });
  });
});

describe('plan/list', () => {
  it('lists visible plans newest first, filtered and by pages', async () => {
    const example = await scene.example({ automation_profile: 'manual' });
    const ids = [await scene.use(example), await scene.use(example), await scene.use(example)];
    await scene.ok('_cleveragents/plan/cancel', { plan_id: ids[0] });
    const owner = member('lister', { [example.namespace]: 'viewer' });
    const first = await scene.ok('_cleveragents/plan/list', { limit: 2 }, owner);
    expect((first['plans'] as JsonObject[]).map(({ plan_id }) => plan_id)).toEqual([ids[2], ids[1]]);
    expect(first['summary']).toEqual({ total: 3, processing: 0, completed: 0, errored: 0, cancelled: 1 });
    const second = await scene.ok('_cleveragents/plan/list', { limit: 2, cursor: first['next_cursor'] }, owner);
    expect(second).toMatchObject({ plans: [{ plan_id: ids[0], state: 'cancelled' }], next_cursor: null });
    const open = await scene.ok('_cleveragents/plan/list', { project: example.project, state: 'queued' }, owner);
    expect(open['plans']).toHaveLength(2);
    expect(await scene.ok('_cleveragents/plan/list', {}, member('nobody', {}))).toMatchObject({ plans: [] });
  });

  it('refuses a state that no plan can be in', async () => {
    expect(await scene.refused('_cleveragents/plan/list', { state: 'broken' })).toMatchObject({ code: -32602 });
  });
});
