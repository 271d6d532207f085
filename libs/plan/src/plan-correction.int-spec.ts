import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXCLAIM_ACTOR, NOTE, PlanScene, member, textOf, type Example } from '../../../test/support/plan-scene.js';

const CORRECT = '_cleveragents/plan/correct';

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

interface Node extends JsonObject {
  decision_id: string;
  type: string;
  description: string;
  superseded?: true;
  children: Node[];
}

async function treeOf(plan_id: string): Promise<Node> {
  return (await scene.ok('_cleveragents/plan/tree', { plan_id }))['tree'] as Node;
}

function flat(node: Node): Node[] {
  return [node, ...node.children.flatMap(flat)];
}

/** A decision that counts, by its kind and how what was chosen begins. */
async function decision(plan_id: string, type: string, chosen = ''): Promise<string> {
  const found = flat(await treeOf(plan_id)).find((node) => node.type === type && node.description.startsWith(chosen));
  if (found === undefined) throw new Error(`No ${type} ${chosen}`);
  return found.decision_id;
}

/** Everything that is stored of a plan. */
async function stored(plan_id: string): Promise<JsonObject[][]> {
  const tables = ['plan_snapshot', 'plan_decision', 'plan_step', 'plan_checkpoint', 'plan_validation_result'];
  const rows = tables.map((table) => scene.query(`SELECT * FROM ${table} WHERE plan_id = $1 ORDER BY 1, 2`, [plan_id]));
  return Promise.all([scene.query('SELECT * FROM plan WHERE id = $1', [plan_id]), ...rows]);
}

async function pathsOf(plan_id: string): Promise<string[]> {
  const { artifacts } = await scene.ok('_cleveragents/plan/artifacts', { plan_id });
  return (artifacts as JsonObject[]).map(({ path }) => String(path));
}

describe('the worked example, with the other strategy chosen after it was executed', () => {
  let example: Example;
  let plan_id: string;
  let strategy: string;
  let corrected: JsonObject;

  beforeAll(async () => {
    example = await scene.example();
    plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    strategy = await decision(plan_id, 'strategy_choice');
  });

  const choose = (more: JsonObject = {}) => ({
    plan_id,
    decision_id: strategy,
    correction: { mode: 'revert', choose: 2, ...more },
  });

  it('tells beforehand what it would do, and does nothing then', async () => {
    const before = await stored(plan_id);
    const dry = await scene.ok(CORRECT, choose({ dry_run: true }));
    expect(dry).toMatchObject({
      status: 'execute/complete',
      dry_run: true,
      correction: { mode: 'revert', new_decision: null, corrects: strategy, attempt: 2 },
      affected_subtree: { decisions_invalidated: 7, unaffected_decisions: 1 },
      sandbox_rollback: { files_reverted: 3 },
      estimated_recompute_time_seconds: null,
      warnings: [],
    });
    expect(dry['decisions_to_invalidate']).toHaveLength(7);
    expect(dry['decisions_to_invalidate']).toContain(strategy);
    expect(dry['excluded_decisions']).toEqual([(await treeOf(plan_id)).decision_id]);
    expect(await stored(plan_id)).toEqual(before);
  });

  it('supersedes the strategy, its steps and what they did, and goes back to the first checkpoint', async () => {
    const [first] = (await scene.ok('_cleveragents/plan/rollback', { plan_id, list: true }))[
      'checkpoints'
    ] as JsonObject[];
    corrected = await scene.ok(CORRECT, choose({ guidance: 'a module of its own' }));
    expect(corrected).toMatchObject({
      plan_id,
      status: 'strategize/queued',
      correction: { mode: 'revert', impact: 'medium', corrects: strategy, attempt: 2 },
      affected_subtree: {
        decisions_invalidated: 7,
        child_plans_rolled_back: 0,
        artifacts_archived: 3,
        unaffected_decisions: 1,
      },
      sandbox_rollback: { checkpoint: first?.['id'], files_reverted: 3, status: 'reset' },
      recompute: { queued: true },
      history: [{ correction_id: corrected['correction_id'], mode: 'revert', corrects: strategy, attempt: 2 }],
    });
  });

  it('decides from there by the chosen alternative and waits at the execute gate', async () => {
    expect(await scene.atRest(plan_id)).toMatchObject({
      status: 'strategize/complete',
      attempt: 2,
      awaiting: { kind: 'phase_gate' },
      progress: [{ step: 'write-module', status: 'queued' }],
    });
    const { tree, summary } = await scene.ok('_cleveragents/plan/tree', { plan_id, show_superseded: true });
    expect(summary).toMatchObject({ nodes: 3, superseded: 7 });
    expect(flat(tree as Node).filter((node) => node.superseded !== true)).toMatchObject([
      { type: 'prompt_definition' },
      { type: 'strategy_choice', description: 'new-module' },
      { type: 'implementation_choice' },
    ]);
    const { new_decision } = corrected['correction'] as JsonObject;
    const explained = await scene.ok('_cleveragents/plan/explain', { plan_id, decision_id: new_decision });
    expect(explained).toMatchObject({
      corrects: strategy,
      rationale: 'a module of its own',
      alternatives: [{ chosen: false }, { chosen: true }],
    });
  });

  it('follows the new strategy when it is executed next, and applies nothing else', async () => {
    const result = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(result).toMatchObject({ status: 'execute/complete', attempt: 2 });
    expect(await pathsOf(plan_id)).toEqual(['src/greet-loud.js']);
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ artifacts: 1 });
    expect(example.repository.git('diff', '--name-only', 'main~1', 'main')).toBe('src/greet-loud.js');
  });

  it('shows file by file what the correction made of the changes', async () => {
    const { correction_id } = corrected;
    const diff = await scene.ok('_cleveragents/plan/diff', { plan_id, correction_id });
    expect(diff).toMatchObject({
      diff_summary: { files_changed: 1 },
      patch_preview: [{ file: 'src/greet-loud.js' }],
      summary: { correction_id, added: 1, removed: 3, changed: 0, same: 0 },
      comparison: [
        { path: 'CHANGELOG.md', verdict: 'removed', before: '+3 -0', after: null },
        { path: 'src/greet-loud.js', verdict: 'added', before: null, after: '+1 -0' },
        { path: 'src/greet.js', verdict: 'removed' },
        { path: 'test/greet.test.js', verdict: 'removed' },
      ],
    });
    const unknown = { plan_id, correction_id: '01HZZZZZZZZZZZZZZZZZZZZZZZ' };
    const error = await scene.refused('_cleveragents/plan/diff', unknown);
    expect(error).toMatchObject({ code: -32001, data: { kind: 'correction' } });
  });

  it('leaves one audit record, and takes no correction once it is applied', async () => {
    const events = await scene.query('SELECT event FROM audit WHERE plan_id = $1 AND method = $2', [plan_id, CORRECT]);
    expect(events).toEqual([{ event: 'correction_applied' }]);
    const error = await scene.refused(CORRECT, choose());
    expect(error).toMatchObject({ code: -32004, data: { status: 'apply/applied' } });
  });
});

describe('plan/correct with mode revert', () => {
  it('of one step does that step and the later ones again; earlier work and sibling decisions stay', async () => {
    const plan_id = await executed(await scene.example());
    const before = (await treeOf(plan_id)).children[0]?.children ?? [];
    const decision_id = await decision(plan_id, 'implementation_choice', 'changelog');
    const inputs = { content: '# Changes\n' };
    const result = await scene.ok(CORRECT, {
      plan_id,
      decision_id,
      correction: { mode: 'revert', steps: { changelog: { inputs } } },
    });
    expect(result).toMatchObject({
      affected_subtree: { decisions_invalidated: 2, artifacts_archived: 1, unaffected_decisions: 6 },
      sandbox_rollback: { files_reverted: 1, status: 'reset' },
    });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete', attempt: 2 });
    const after = (await treeOf(plan_id)).children[0]?.children ?? [];
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).toMatchObject({ type: 'implementation_choice', children: [{ type: 'tool_invocation' }] });
    const changed = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'CHANGELOG.md' });
    expect(changed).toMatchObject({ content: '# Changes\n', summary: { total: 3 } });
  });

  it('runs what came after a corrected step again, without deciding it again', async () => {
    const plan_id = await executed(await scene.example());
    const decision_id = await decision(plan_id, 'implementation_choice', 'bump-source');
    const later = await decision(plan_id, 'implementation_choice', 'bump-test');
    await scene.ok(CORRECT, {
      plan_id,
      decision_id,
      correction: { mode: 'revert', steps: { 'bump-source': { inputs: { replace: "'Hello, ' + (name + '!')" } } } },
    });
    expect(await scene.atRest(plan_id)).toMatchObject({
      status: 'execute/complete',
      execution: { tool_calls: 6, checkpoints: 4 },
    });
    expect(await decision(plan_id, 'implementation_choice', 'bump-test')).toBe(later);
    const { summary } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(summary).toMatchObject({ nodes: 8, superseded: 4 });
    const source = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'src/greet.js' });
    expect(source['content']).toContain("(name + '!')");
  });

  it('leaves a step out', async () => {
    const plan_id = await executed(await scene.example());
    const decision_id = await decision(plan_id, 'tool_invocation', 'builtin/write_file');
    await scene.ok(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', steps: { changelog: 'skip' } } });
    expect(await scene.atRest(plan_id)).toMatchObject({
      status: 'execute/complete',
      progress: [{ step: 'bump-source' }, { step: 'bump-test' }],
    });
    expect(await pathsOf(plan_id)).toEqual(['src/greet.js', 'test/greet.test.js']);
  });

  it('of the root plans everything anew with other arguments', async () => {
    const plan_id = await executed(await scene.example());
    const { decision_id } = await treeOf(plan_id);
    const correction = { mode: 'revert', arguments: { note: 'quite another note' } };
    const result = await scene.ok(CORRECT, { plan_id, decision_id, correction });
    expect(result).toMatchObject({ affected_subtree: { decisions_invalidated: 7, unaffected_decisions: 1 } });
    await scene.atRest(plan_id);
    const changelog = await scene.ok('_cleveragents/plan/artifacts', { plan_id, path: 'CHANGELOG.md' });
    expect(changelog['content']).toContain('quite another note');
    const again = { mode: 'revert', arguments: { note: NOTE } };
    const { history } = await scene.ok(CORRECT, { plan_id, decision_id, correction: again });
    expect(history).toMatchObject([{ attempt: 2 }, { attempt: 3 }]);
  });

  it('mends a plan whose step has failed', async () => {
    const steps = [
      { id: 'good', tool: 'builtin/write_file', inputs: { path: 'a.txt', content: 'a' } },
      { id: 'bad', tool: 'builtin/edit_file', inputs: { path: 'README.md', find: 'nowhere', replace: 'x' } },
    ];
    const example = await scene.example({ actor: { type: 'tool', steps }, validation: null });
    const plan_id = await scene.use(example, { automation_profile: 'auto' });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/errored' });
    const decision_id = await decision(plan_id, 'implementation_choice', 'bad');
    const correction = { mode: 'revert', steps: { bad: { inputs: { find: '# api' } } } };
    await scene.ok(CORRECT, { plan_id, decision_id, correction });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete' });
    expect(await pathsOf(plan_id)).toEqual(['README.md', 'a.txt']);
  });

  it('brings every repository back', async () => {
    const one = await scene.example();
    const other = await scene.example();
    const plan_id = await executed(one, { project_names: [one.project, other.project] });
    const decision_id = await decision(plan_id, 'strategy_choice');
    const result = await scene.ok(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', choose: 2 } });
    expect(result).toMatchObject({
      affected_subtree: { decisions_invalidated: 10 },
      sandbox_rollback: { files_reverted: 6 },
    });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete', execution: { checkpoints: 4 } });
    expect(await pathsOf(plan_id)).toEqual(['src/greet-loud.js', 'src/greet-loud.js']);
  });

  it('starts nothing by itself where every phase needs a call', async () => {
    const plan_id = await scene.use(await scene.example(), { automation_profile: 'manual' });
    for (const _ of ['strategize', 'execute']) await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    await scene.query(`UPDATE plan SET state = 'errored', awaiting = NULL WHERE id = $1`, [plan_id]);
    const decision_id = await decision(plan_id, 'strategy_choice');
    const result = await scene.ok(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', choose: 2 } });
    expect(result).toMatchObject({ status: 'strategize/queued', recompute: { queued: false } });
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({
      awaiting: { kind: 'phase_gate' },
    });
  });

  it('refuses what cannot be, and changes nothing then', async () => {
    const plan_id = await executed(await scene.example());
    const strategy = await decision(plan_id, 'strategy_choice');
    const step = await decision(plan_id, 'implementation_choice', 'bump-test');
    const before = await stored(plan_id);
    const attempts: [string, JsonObject, number][] = [
      [strategy, { choose: 1 }, -32602],
      [strategy, { choose: 3 }, -32602],
      [step, { choose: 1 }, -32602],
      [strategy, { arguments: { note: 5 } }, -32602],
      [strategy, { arguments: { colour: 'red' } }, -32602],
      [strategy, { steps: { unheard: 'skip' } }, -32602],
      [step, { steps: { 'bump-source': 'skip' } }, -32602],
      [strategy, { guidance: 'do it better' }, -32004],
      ['01HZZZZZZZZZZZZZZZZZZZZZZZ', { choose: 2 }, -32001],
    ];
    for (const [decision_id, wish, code] of attempts) {
      const error = await scene.refused(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', ...wish } });
      expect({ ...wish, code: error.code }).toEqual({ ...wish, code });
    }
    expect(await stored(plan_id)).toEqual(before);
    const mute = { plan_id, decision_id: strategy, correction: { mode: 'revert', guidance: 'do it better' } };
    expect(await scene.refused(CORRECT, mute)).toMatchObject({ data: { hint: 'choose, arguments or steps' } });
  });

  it('refuses a decision that is superseded, and names the one in its place', async () => {
    const plan_id = await executed(await scene.example());
    const decision_id = await decision(plan_id, 'strategy_choice');
    const correction = { mode: 'revert', choose: 2 };
    const { correction: made } = await scene.ok(CORRECT, { plan_id, decision_id, correction });
    await scene.atRest(plan_id);
    const error = await scene.refused(CORRECT, { plan_id, decision_id, correction });
    expect(error).toMatchObject({ code: -32004, data: { superseded_by: (made as JsonObject)['new_decision'] } });
  });

  it('refuses a plan that has not been executed', async () => {
    const plan_id = await scene.use(await scene.example());
    await scene.atRest(plan_id);
    const decision_id = await decision(plan_id, 'strategy_choice');
    const error = await scene.refused(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', choose: 2 } });
    expect(error).toMatchObject({ code: -32004, data: { status: 'strategize/complete' } });
  });

  it('changes nothing when its sandbox cannot be brought back', async () => {
    const example = await scene.example();
    const plan_id = await executed(example);
    const { sandbox } = await scene.ok('_cleveragents/plan/execute', { plan_id });
    example.repository.git('worktree', 'remove', '--force', textOf(sandbox as JsonObject, 'path'));
    const before = await stored(plan_id);
    const decision_id = await decision(plan_id, 'strategy_choice');
    await scene.refused(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', choose: 2 } });
    expect(await stored(plan_id)).toEqual(before);
  });

  it('stops a step that is running, and goes on by the new decision', async () => {
    const code = "require('node:fs').existsSync('LICENSE') || setTimeout(() => {}, 60000)";
    const wait = { id: 'wait', tool: 'builtin/run_command', inputs: { argv: ['node', '-e', code] } };
    const { steps } = EXCLAIM_ACTOR;
    const strategies = [
      { id: 'slow', title: 'Wait', steps: ['wait'] },
      { id: 'new-module', title: 'Add', steps: ['write-module'] },
    ];
    const actor = { type: 'tool', strategies, steps: [...(steps as JsonObject[]), wait] };
    const plan_id = await scene.use(await scene.example({ actor, validation: null }), { automation_profile: 'auto' });
    const isRunning = async (): Promise<boolean> => {
      const { progress, status } = await scene.ok('_cleveragents/plan/status', { plan_id });
      return status === 'execute/processing' && JSON.stringify(progress).includes('running');
    };
    await expect.poll(isRunning, { timeout: 20_000 }).toBe(true);
    const decision_id = await decision(plan_id, 'strategy_choice');
    const result = await scene.ok(CORRECT, { plan_id, decision_id, correction: { mode: 'revert', choose: 2 } });
    expect(result).toMatchObject({ status: 'strategize/queued', sandbox_rollback: { status: 'pending' } });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete', attempt: 2 });
    expect(await pathsOf(plan_id)).toEqual(['src/greet-loud.js']);
  });

  it('is for who made the plan, and of others’ plans for maintainers', async () => {
    const example = await scene.example();
    const role = (id: string, name: 'viewer' | 'operator' | 'maintainer') => member(id, { [example.namespace]: name });
    const plan_id = await executed(example);
    const decision_id = await decision(plan_id, 'strategy_choice');
    const params = { plan_id, decision_id, correction: { mode: 'revert', choose: 2, dry_run: true } };
    for (const refused of [role('viewer', 'viewer'), role('other', 'operator')]) {
      expect(await scene.refused(CORRECT, params, refused)).toMatchObject({ code: -32003 });
    }
    expect(await scene.refused(CORRECT, params, member('x', { else: 'operator' }))).toMatchObject({ code: -32001 });
    expect(await scene.ok(CORRECT, params, role('boss', 'maintainer'))).toMatchObject({ dry_run: true });
  });
});

describe('plan/correct with mode append', () => {
  it('adds guidance under the decision and supersedes nothing', async () => {
    const plan_id = await scene.use(await scene.example());
    await scene.atRest(plan_id);
    const decision_id = await decision(plan_id, 'strategy_choice');
    const result = await scene.ok(CORRECT, { plan_id, decision_id, correction: 'mind the comma' });
    expect(result).toMatchObject({
      status: 'strategize/complete',
      correction: { mode: 'append', corrects: decision_id, attempt: 1 },
      append_detail: { original_decision_preserved: true, existing_artifacts_kept: 0, additional_work: false },
      history: [{ mode: 'append' }],
    });
    const { summary } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(summary).toMatchObject({ nodes: 6, superseded: 0 });
    const added = await decision(plan_id, 'user_intervention', 'mind the comma');
    expect(result['queued']).toEqual({ new_child: added, eta: null });
  });

  it('takes an executed plan back into execute, where what was done is kept', async () => {
    const plan_id = await executed(await scene.example());
    const decision_id = await decision(plan_id, 'strategy_choice');
    const correction = { mode: 'append', guidance: 'and look again' };
    const dry = await scene.ok(CORRECT, { plan_id, decision_id, correction: { ...correction, dry_run: true } });
    expect(dry).toMatchObject({ status: 'execute/complete', dry_run: true, decisions_to_invalidate: [] });
    const result = await scene.ok(CORRECT, { plan_id, decision_id, correction });
    expect(result).toMatchObject({
      status: 'execute/queued',
      append_detail: { existing_artifacts_kept: 3, additional_work: true },
    });
    expect(await scene.atRest(plan_id)).toMatchObject({
      status: 'execute/complete',
      attempt: 1,
      execution: { tool_calls: 3, files_modified: 3 },
    });
  });

  it('refuses a plan that is over', async () => {
    const plan_id = await executed(await scene.example());
    const decision_id = await decision(plan_id, 'strategy_choice');
    await scene.ok('_cleveragents/plan/cancel', { plan_id });
    const error = await scene.refused(CORRECT, { plan_id, decision_id, correction: 'too late' });
    expect(error).toMatchObject({ code: -32004, data: { status: 'execute/cancelled' } });
  });
});
