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

describe('the worked example: a deterministic actor, no network, no model', () => {
  let example: Example;
  let plan: JsonObject;
  let firstCommit: string;

  beforeAll(async () => {
    example = await scene.example();
    firstCommit = example.repository.head();
    plan = await scene.use(example);
  });

  it('starts alone under the supervised profile and rests before the execute gate', async () => {
    expect(plan).toMatchObject({
      status: 'strategize/queued',
      automation_profile: 'supervised',
      inputs: { note: NOTE },
    });
    expect(await scene.atRest(String(plan['plan_id']))).toMatchObject({
      status: 'strategize/complete',
      awaiting: { kind: 'phase_gate' },
    });
  });

  it('plans by the first possible strategy, with one decision for each of its steps', async () => {
    const { tree, summary } = await scene.ok('plan/tree', { plan_id: plan['plan_id'] });
    expect(tree).toMatchObject({
      type: 'prompt_definition',
      children: [{ type: 'strategy_choice', description: 'edit-in-place', confidence: 0.95 }],
    });
    expect(summary).toEqual({ nodes: 5, depth: 3, child_plans: 0, invariants: 0, superseded: 0 });
  });

  it('executes to the end of its steps', async () => {
    const result = await scene.ok('plan/execute', { plan_id: plan['plan_id'], wait: true });
    expect(result).toMatchObject({ status: 'execute/complete' });
    expect(example.repository.head()).toBe(firstCommit);
  });
});
