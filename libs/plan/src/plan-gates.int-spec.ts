import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXCLAIM_ACTOR, PlanScene, member } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open();
});

afterAll(async () => {
  await scene.close();
});

/** The worked example's actor, with one step that is not sure of itself. */
const DOUBTFUL_ACTOR: JsonObject = {
  ...EXCLAIM_ACTOR,
  steps: (EXCLAIM_ACTOR['steps'] as JsonObject[]).map((step) =>
    step['id'] === 'bump-test' ? { ...step, confidence: 0.62 } : step,
  ),
};

describe('profile manual', () => {
  it('starts nothing by itself and needs one call for each phase', async () => {
    const example = await scene.example({ automation_profile: 'manual' });
    const plan_id = await scene.use(example);
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({
      status: 'strategize/queued',
      awaiting: { kind: 'phase_gate' },
      timing: { started: null },
    });
    expect(await scene.query("SELECT 1 FROM pgboss.job WHERE data->>'plan_id' = $1", [plan_id])).toEqual([]);

    const first = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(first['status']).toBe('strategize/complete');
    expect(await scene.query("SELECT data FROM pgboss.job WHERE data->>'plan_id' = $1", [plan_id])).toEqual([
      { data: { plan_id, correlation_id: 'test' } },
    ]);
    // Every change of a file asks under this profile: the phase begins, and rests at its first step.
    const second = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(second['status']).toBe('execute/queued');
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({
      awaiting: { kind: 'tool_approval' },
    });
  });

  it('cancels the plan when its gate is answered with reject', async () => {
    const example = await scene.example({ automation_profile: 'manual' });
    const plan_id = await scene.use(example);
    const params = { plan_id, message: 'not now', answer: 'reject' };
    expect(await scene.ok('_cleveragents/plan/prompt', params)).toMatchObject({ status: 'strategize/cancelled' });
    expect(await scene.ok('_cleveragents/plan/cancel', { plan_id })).toMatchObject({ reason: 'not now' });
  });
});

describe('profile ci', () => {
  it('runs to the end without any call', async () => {
    const example = await scene.example({ automation_profile: 'ci' });
    const plan_id = await scene.use(example);
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'apply/applied', awaiting: null });
    expect(example.repository.git('show', 'main:src/greet.js')).toContain("name + '!'");
  });

  it('fails for good where another profile would wait for a person', async () => {
    const example = await scene.example({ automation_profile: 'ci', validation: ['node', '-e', 'process.exit(3)'] });
    const plan_id = await scene.use(example);
    const status = await scene.atRest(plan_id);
    expect(status).toMatchObject({
      status: 'execute/errored',
      error: { reason: 'VALIDATION_FAILED', recoverable: true },
      validation: { required_failed: 1 },
    });
    expect(await taskState(status)).toBe('TASK_STATE_FAILED');
    expect(example.repository.git('log', '--oneline', 'main').split('\n')).toHaveLength(1);
  });

  it('goes on in a new task of the same context when it is tried again', async () => {
    const example = await scene.example({ automation_profile: 'ci', validation: ['node', '-e', 'process.exit(3)'] });
    const plan_id = await scene.use(example);
    const failed = await scene.atRest(plan_id);
    await scene.ok('_cleveragents/plan/execute', { plan_id });
    const again = await scene.atRest(plan_id);
    expect(again['task_ids']).toEqual([failed['task_id'], again['task_id']]);
    expect(again['task_id']).not.toBe(failed['task_id']);
  });

  it('never waits for a creator who may not apply: the apply gate is shut for it', async () => {
    const example = await scene.example({ automation_profile: 'ci' });
    const operator = member('operator', { [example.namespace]: 'operator' });
    const plan_id = await scene.use(example, {}, operator);
    const status = await scene.atRest(plan_id);
    expect(status).toMatchObject({ status: 'execute/errored', error: { reason: 'GATE_UNATTENDED' } });
  });
});

describe('profile cautious', () => {
  it('asks before a step whose confidence is below the threshold, and goes on from it when approved', async () => {
    const example = await scene.example({ automation_profile: 'cautious', actor: DOUBTFUL_ACTOR });
    const plan_id = await scene.use(example);
    const waiting = await scene.atRest(plan_id);
    expect(waiting).toMatchObject({
      status: 'execute/queued',
      awaiting: { kind: 'tool_approval', decision_id: expect.any(String) as string },
      progress: [
        { step: 'bump-source', status: 'done' },
        { step: 'bump-test', status: 'queued' },
        { step: 'changelog', status: 'queued' },
      ],
    });
    expect(await taskState(waiting)).toBe('TASK_STATE_INPUT_REQUIRED');

    const error = await scene.refused('_cleveragents/plan/execute', { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { hint: 'plan/prompt' } });

    const { decision_id } = waiting['awaiting'] as JsonObject;
    const answer = { plan_id, message: 'yes, but keep the comma', answer: 'approve', decision_id };
    expect(await scene.ok('_cleveragents/plan/prompt', answer)).toMatchObject({
      delivered: 'resumed',
      status: 'execute/queued',
    });
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete', execution: { tool_calls: 3 } });
    const { tree } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(JSON.stringify(tree)).toContain('"user_intervention"');
  });

  it('errors the plan when the step is rejected, and asks again when it is tried again', async () => {
    const example = await scene.example({ automation_profile: 'cautious', actor: DOUBTFUL_ACTOR });
    const plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    const rejected = await scene.ok('_cleveragents/plan/prompt', { plan_id, message: 'no', answer: 'reject' });
    expect(rejected['status']).toBe('execute/errored');
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({
      error: { reason: 'STEP_REJECTED', step: 'bump-test', recoverable: true },
    });
    await scene.ok('_cleveragents/plan/execute', { plan_id });
    expect(await scene.atRest(plan_id)).toMatchObject({ awaiting: { kind: 'tool_approval' } });
  });

  it('refuses an answer to a question that is not the pending one', async () => {
    const example = await scene.example({ automation_profile: 'cautious', actor: DOUBTFUL_ACTOR });
    const plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    const { decision_ids } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    const { root } = decision_ids as JsonObject;
    const params = { plan_id, message: 'yes', answer: 'approve', decision_id: root };
    expect(await scene.refused('_cleveragents/plan/prompt', params)).toMatchObject({ code: -32001 });
  });
});

describe('profile supervised', () => {
  it('keeps guidance without opening the gate', async () => {
    const example = await scene.example();
    const plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    const given = await scene.ok('_cleveragents/plan/prompt', { plan_id, message: 'mind the tests' });
    expect(given).toMatchObject({ delivered: 'recorded', status: 'strategize/complete' });
    expect(given['warnings']).toHaveLength(1);
    const decision = await scene.ok('_cleveragents/plan/explain', { plan_id, decision_id: given['decision_id'] });
    expect(decision).toMatchObject({ type: 'user_intervention', chosen: 'mind the tests' });
  });

  it('executes in one call that comes while the strategy is still being made', async () => {
    const example = await scene.example();
    const plan_id = await scene.use(example);
    const result = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(result['status']).toBe('execute/complete');
  });

  it('stops after the strategy when it is told to', async () => {
    const example = await scene.example({ automation_profile: 'auto' });
    const plan_id = await scene.use(example, { automation_profile: 'manual' });
    const result = await scene.ok('_cleveragents/plan/execute', { plan_id, until: 'strategize', wait: true });
    expect(result['status']).toBe('strategize/complete');
  });

  it('does not plan again what was decided before it was cancelled', async () => {
    const example = await scene.example();
    const plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    await scene.ok('_cleveragents/plan/cancel', { plan_id });
    const resumed = await scene.ok('_cleveragents/plan/execute', { plan_id, resume: true, wait: true });
    expect(resumed).toMatchObject({ status: 'strategize/complete', attempt: 2 });
    const { summary } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(summary).toMatchObject({ nodes: 5, superseded: 0 });
  });

  it('lets an operator plan and only a maintainer apply', async () => {
    const example = await scene.example();
    const operator = member('operator', { [example.namespace]: 'operator' });
    const other = member('other', { [example.namespace]: 'operator' });
    const maintainer = member('maintainer', { [example.namespace]: 'maintainer' });
    const plan_id = await scene.use(example, {}, operator);
    await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true }, operator);
    const refusal = { code: -32003, data: { required_role: 'maintainer' } };
    expect(await scene.refused('_cleveragents/plan/apply', { plan_id }, operator)).toMatchObject(refusal);
    const approval = { plan_id, message: 'approve', answer: 'approve' };
    expect(await scene.refused('_cleveragents/plan/prompt', approval, operator)).toMatchObject(refusal);
    expect(await scene.refused('_cleveragents/plan/cancel', { plan_id }, other)).toMatchObject(refusal);
    await scene.ok('_cleveragents/plan/prompt', approval, maintainer);
    expect(await scene.atRest(plan_id)).toMatchObject({ status: 'apply/applied' });
    const [author] = example.repository.git('log', '-1', '--format=%ae', 'main').split('\n');
    expect(author).toContain('maintainer');
  });
});

describe('actors without steps', () => {
  const BARE = { strategy_actor: 'builtin/strategist', execution_actor: 'builtin/executor' };

  it('makes a decision of every point of the definition of done, and does not pretend to carry them out', async () => {
    const example = await scene.example({ action: BARE });
    const plan_id = await scene.use(example);
    await scene.atRest(plan_id);
    const { tree } = await scene.ok('_cleveragents/plan/tree', { plan_id });
    expect(JSON.stringify(tree)).toContain('"changelog written"');
    const error = await scene.refused('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(error).toMatchObject({ code: -32009, data: { key: 'execution_actor' } });
    const status = await scene.ok('_cleveragents/plan/status', { plan_id });
    expect(status).toMatchObject({ status: 'execute/errored', error: { recoverable: false } });
    expect(await taskState(status)).toBe('TASK_STATE_FAILED');
  });
});

describe('a read-only plan', () => {
  it('ends after execute and refuses tools that write', async () => {
    const steps = [{ id: 'look', tool: 'builtin/list_files', inputs: { glob: 'src/**' } }];
    const example = await scene.example({ actor: { type: 'tool', steps }, automation_profile: 'auto' });
    const plan_id = await scene.use(example, { read_only: true });
    const status = await scene.atRest(plan_id);
    expect(status).toMatchObject({ status: 'execute/complete', awaiting: null });
    expect(await taskState(status)).toBe('TASK_STATE_COMPLETED');
    expect(await scene.refused('_cleveragents/plan/apply', { plan_id })).toMatchObject({ code: -32004 });

    const writing = await scene.example({ automation_profile: 'auto' });
    const refused = await scene.use(writing, { read_only: true });
    expect(await scene.atRest(refused)).toMatchObject({ status: 'execute/errored', error: { step: 'bump-source' } });
  });
});

async function taskState(status: JsonObject): Promise<unknown> {
  const [row] = await scene.query('SELECT state FROM task WHERE id = $1', [status['task_id']]);
  return row?.['state'];
}
