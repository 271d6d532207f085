import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTE, PlanScene, type Example } from '../../../test/support/plan-scene.js';

let scene: PlanScene;
let example: Example;

beforeAll(async () => {
  scene = await PlanScene.open({ variables: { ROLE: 'api' } });
  example = await scene.example({ automation_profile: 'manual' });
});

afterAll(async () => {
  await scene.close();
});

const useParams = () => ({
  action_name: example.action,
  project_names: [example.project],
  arguments: { note: NOTE },
  idempotency_key: 'by either name',
});

describe('the deprecated names of plan methods', () => {
  it('answer what the present name answers, with a warning and a Deprecation header', async () => {
    const present = await scene.ok('_cleveragents/plan/use', useParams());
    const { headers, body } = await scene.answer('plan.create', useParams());
    const warnings = ['plan.create is deprecated: use _cleveragents/plan/use'];
    expect(body).toMatchObject({ result: { ...present, warnings } });
    expect(headers).toMatchObject({ Deprecation: 'true' });
  });

  it.each(['execute', 'status', 'diff'])('plan.%s warns in its result', async (verb) => {
    const plan_id = await scene.use(example);
    const { headers, body } = await scene.answer(`plan.${verb}`, { plan_id });
    const warning = `plan.${verb} is deprecated: use _cleveragents/plan/${verb}`;
    expect(body).toMatchObject({ result: { plan_id } });
    expect('result' in body && body.result['warnings']).toContain(warning);
    expect(headers).toMatchObject({ Deprecation: 'true' });
  });

  it('plan.apply is refused as plan/apply is', async () => {
    const plan_id = await scene.use(example);
    const present = await scene.refused('_cleveragents/plan/apply', { plan_id });
    const { headers, body } = await scene.answer('plan.apply', { plan_id });
    expect(body).toMatchObject({ error: { code: present.code, message: present.message } });
    expect(headers).toMatchObject({ Deprecation: 'true' });
  });

  it('leave the present names without a remark', async () => {
    const plan_id = await scene.use(example);
    const { headers, body } = await scene.answer('_cleveragents/plan/status', { plan_id });
    expect(headers).not.toHaveProperty('Deprecation');
    expect(body).not.toHaveProperty('result.warnings');
  });

  it('are unknown when they are switched off', async () => {
    const strict = await scene.join({ ROLE: 'api', ACP_NAMES: 'off' });
    try {
      expect(await strict.refused('plan.create', useParams())).toMatchObject({ code: -32601 });
    } finally {
      await strict.stop();
    }
  });
});
