import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTE, PlanScene, type Example } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open();
});

afterAll(async () => {
  await scene.close();
});

/** Writes the note into one file, so that two plans with different notes get in each other's way. */
const NOTING_ACTOR: JsonObject = {
  type: 'tool',
  steps: [
    { id: 'note', tool: 'builtin/write_file', inputs: { path: 'NOTE.md', content: '{{args.note}}\n' } },
    { id: 'mention', tool: 'builtin/edit_file', inputs: { path: 'README.md', find: '# api', replace: '# API' } },
  ],
};

/** A plan that is ready to be applied. */
async function ready(example: Example, params: JsonObject = {}): Promise<string> {
  const plan_id = await scene.use(example, { automation_profile: 'auto', ...params });
  expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete' });
  return plan_id;
}

function status(plan_id: string): Promise<JsonObject> {
  return scene.ok('_cleveragents/plan/status', { plan_id });
}

/** Commit, tree and files of the repository: equal means that nothing was touched. */
function stateOf({ repository }: Example): string[] {
  return [
    repository.git('rev-parse', 'main'),
    repository.git('status', '--porcelain'),
    repository.git('stash', 'create'),
    repository.git('hash-object', 'README.md', 'src/greet.js', 'test/greet.test.js'),
  ];
}

describe('two applies at the same time', () => {
  it('R04 A: write the files once; the other call is told the state', async () => {
    const example = await scene.example();
    const plan_id = await ready(example);
    const answers = await Promise.all([
      scene.call('_cleveragents/plan/apply', { plan_id }),
      scene.call('_cleveragents/plan/apply', { plan_id }),
    ]);
    expect(answers.filter((answer) => 'result' in answer)).toMatchObject([{ result: { status: 'apply/applied' } }]);
    expect(answers.filter((answer) => 'error' in answer)).toMatchObject([{ error: { code: -32004 } }]);
    expect(example.repository.git('log', '--merges', '--oneline', 'main').split('\n')).toHaveLength(1);
    expect(await status(plan_id)).toMatchObject({ status: 'apply/applied' });
  });
});

describe('a target with uncommitted changes', () => {
  it('R04 C: is refused naming every changed file, nothing is written, and a later apply succeeds', async () => {
    const example = await scene.example();
    const plan_id = await ready(example);
    example.repository.write({ 'src/greet.js': '// mine\n', 'test/greet.test.js': '// mine too\n' });
    const before = example.repository.git('diff');
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { reason: 'TARGET_DIRTY', status: 'execute/complete' } });
    expect(JSON.stringify(error.data['files'])).toContain('src/greet.js');
    expect(JSON.stringify(error.data['files'])).toContain('test/greet.test.js');
    expect(example.repository.git('diff')).toBe(before);
    expect(await status(plan_id)).toMatchObject({
      status: 'execute/complete',
      awaiting: { kind: 'phase_gate' },
      allowed_methods: expect.arrayContaining(['plan/apply']) as string[],
    });
    example.repository.git('checkout', '--', '.');
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
  });

  it('does not matter where the plan changes nothing', async () => {
    const example = await scene.example();
    const plan_id = await ready(example);
    example.repository.write({ 'README.md': '# mine\n' });
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
    expect(example.repository.git('diff', '--name-only')).toBe('README.md');
  });
});

describe('two plans that touch the same line', () => {
  let example: Example;
  let first: string;
  let second: string;

  beforeAll(async () => {
    example = await scene.example({ actor: NOTING_ACTOR });
    first = await ready(example);
    second = await ready(example, { arguments: { note: 'another note' } });
    await scene.ok('_cleveragents/plan/apply', { plan_id: first });
  });

  it('constrains the second one and leaves the target as it is', async () => {
    const before = stateOf(example);
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id: second });
    expect(error).toMatchObject({
      code: -32008,
      data: {
        reason: 'MERGE_CONFLICT',
        plan_id: second,
        phase: 'apply',
        state: 'constrained',
        conflicts: [{ resource: `${example.namespace}/repo`, path: 'NOTE.md' }],
      },
    });
    expect(stateOf(example)).toEqual(before);
    expect(await status(second)).toMatchObject({ status: 'apply/constrained', error: { reason: 'MERGE_CONFLICT' } });
  });

  it('refuses to apply it again as it is', async () => {
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id: second });
    expect(error).toMatchObject({
      code: -32004,
      data: { allowed: expect.arrayContaining(['plan/execute']) as string[] },
    });
  });

  it('carries it out again on the present head, where a step that no longer fits is named', async () => {
    const error = await scene.refused('_cleveragents/plan/execute', { plan_id: second, wait: true });
    expect(error).toMatchObject({ code: -32008, data: { step: 'mention', recoverable: true } });
    expect(await status(second)).toMatchObject({ status: 'execute/errored', attempt: 2 });
  });

  it('applies it once its steps fit', async () => {
    example.repository.write({ 'README.md': '# api\n' });
    example.repository.commit('back to the old title');
    const third = await ready(example, { arguments: { note: 'a third note' } });
    example.repository.write({ 'NOTE.md': 'someone was quicker\n' });
    example.repository.commit('a note by hand');
    await scene.refused('_cleveragents/plan/apply', { plan_id: third });
    expect(await scene.ok('_cleveragents/plan/execute', { plan_id: third, wait: true })).toMatchObject({
      status: 'execute/complete',
      attempt: 2,
    });
    const { summary } = await scene.ok('_cleveragents/plan/tree', { plan_id: third });
    expect(summary).toMatchObject({ nodes: 6, superseded: 2 });
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id: third })).toMatchObject({ status: 'apply/applied' });
    expect(example.repository.git('show', 'main:NOTE.md')).toBe('a third note');
  });
});

describe('plan/apply', () => {
  it('merges into a target that has moved elsewhere meanwhile', async () => {
    const example = await scene.example();
    const plan_id = await ready(example);
    example.repository.write({ 'README.md': '# moved on\n' });
    example.repository.commit('unrelated');
    expect(await scene.ok('_cleveragents/plan/diff', { plan_id })).toMatchObject({ target_moved: true });
    const applied = await scene.ok('_cleveragents/plan/apply', { plan_id, message: 'Greet louder' });
    expect(applied).toMatchObject({ status: 'apply/applied' });
    expect(example.repository.git('log', '-1', '--format=%s', 'main')).toBe('Greet louder');
    expect(example.repository.git('show', 'main:README.md')).toBe('# moved on');
  });

  it('refuses a plan that changed nothing, unless that is wanted', async () => {
    const steps = [{ id: 'look', tool: 'builtin/list_files', inputs: {} }];
    const example = await scene.example({ actor: { type: 'tool', steps } });
    const plan_id = await ready(example);
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { hint: 'allow_empty:true' } });
    const applied = await scene.ok('_cleveragents/plan/apply', { plan_id, allow_empty: true });
    expect(applied).toMatchObject({ status: 'apply/applied', artifacts: 0 });
  });

  it('warns when nothing was validated', async () => {
    const example = await scene.example({ validation: null });
    const plan_id = await ready(example);
    const applied = await scene.ok('_cleveragents/plan/apply', { plan_id });
    expect(applied).toMatchObject({ validation: {}, warnings: [expect.any(String) as string] });
  });

  it('does not wait when it is told not to', async () => {
    const example = await scene.example();
    const plan_id = await ready(example);
    const started = await scene.ok('_cleveragents/plan/apply', { plan_id, wait: false });
    expect(started).toMatchObject({ status: 'apply/queued', applied_at: null });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'apply/applied' });
  });
});

describe('several repositories', () => {
  it('are worked on and applied together', async () => {
    const one = await scene.example();
    const other = await scene.example();
    const plan_id = await ready(one, { project_names: [one.project, other.project] });
    expect(await status(plan_id)).toMatchObject({ execution: { tool_calls: 6, files_modified: 6, checkpoints: 8 } });
    const applied = await scene.ok('_cleveragents/plan/apply', { plan_id });
    expect(applied['commits']).toHaveLength(2);
    for (const { repository } of [one, other]) expect(repository.git('show', 'main:CHANGELOG.md')).toContain(NOTE);
  });

  it('are all left alone when one of them has a conflict', async () => {
    const one = await scene.example();
    const other = await scene.example();
    const plan_id = await ready(one, { project_names: [one.project, other.project] });
    other.repository.write({ 'src/greet.js': '// rewritten\n' });
    other.repository.commit('rewritten');
    const before = [stateOf(one), stateOf(other)];
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id });
    expect(error).toMatchObject({ code: -32008, data: { state: 'constrained' } });
    expect([stateOf(one), stateOf(other)]).toEqual(before);
  });
});
