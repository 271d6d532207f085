import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlanScene, type Example } from '../../../test/support/plan-scene.js';
import { STAGES, type Stage } from './domain/plan-state.js';

let scene: PlanScene;
let example: Example;

/** Without a worker a plan stays exactly where a test puts it. */
beforeAll(async () => {
  scene = await PlanScene.open({ variables: { ROLE: 'api' } });
  example = await scene.example({ automation_profile: 'manual' });
});

afterAll(async () => {
  await scene.close();
});

const METHODS = ['execute', 'apply', 'cancel', 'prompt'] as const;
type Method = (typeof METHODS)[number];

/** Every stage with where each method leads from it; null = refused. */
const OUTCOMES: Readonly<Record<Stage, Readonly<Record<Method, Stage | null>>>> = {
  'strategize/queued': row('strategize/queued', null, 'strategize/cancelled', 'strategize/queued'),
  'strategize/processing': row('strategize/processing', null, 'strategize/cancelled', 'strategize/processing'),
  'strategize/complete': row('execute/queued', null, 'strategize/cancelled', 'strategize/complete'),
  'strategize/errored': row('strategize/queued', null, 'strategize/cancelled', 'strategize/queued'),
  'strategize/cancelled': row('strategize/queued', null, 'strategize/cancelled', null),
  'execute/queued': row('execute/queued', null, 'execute/cancelled', 'execute/queued'),
  'execute/processing': row('execute/processing', null, 'execute/cancelled', 'execute/processing'),
  'execute/complete': row('execute/complete', 'apply/queued', 'execute/cancelled', 'execute/complete'),
  'execute/errored': row('execute/queued', null, 'execute/cancelled', 'execute/queued'),
  'execute/cancelled': row('execute/queued', null, 'execute/cancelled', null),
  'apply/queued': row('apply/queued', null, 'apply/cancelled', 'apply/queued'),
  'apply/processing': row('apply/processing', null, 'apply/cancelled', 'apply/processing'),
  'apply/errored': row('apply/queued', 'apply/queued', 'apply/cancelled', 'apply/queued'),
  'apply/constrained': row('execute/queued', null, 'apply/cancelled', null),
  'apply/cancelled': row('apply/queued', null, 'apply/cancelled', null),
  'apply/applied': row(null, null, null, null),
};

function row(
  execute: Stage | null,
  apply: Stage | null,
  cancel: Stage | null,
  prompt: Stage | null,
): Record<Method, Stage | null> {
  return { execute, apply, cancel, prompt };
}

const PARAMS: Readonly<Record<Method, JsonObject>> = {
  execute: { resume: true },
  apply: { allow_empty: true, wait: false },
  cancel: {},
  prompt: { message: 'a hint' },
};

const AWAITING = JSON.stringify({ kind: 'phase_gate', prompt: '?', decisionId: null, step: null, since: '' });
const CANCELLATION = JSON.stringify({ reason: 'test', at: '2026-01-01T00:00:00.000Z', by: 'test', filesModified: 0 });
const GATED: ReadonlySet<Stage> = new Set<Stage>(['strategize/queued', 'strategize/complete', 'execute/complete']);

async function planIn(stage: Stage): Promise<string> {
  const plan_id = await scene.use(example);
  const [phase, state] = stage.split('/');
  const isOver = state === 'cancelled' || state === 'applied';
  await scene.query(
    `UPDATE plan SET phase = $2, state = $3, awaiting = $4, cancellation = $5, task_state = $6 WHERE id = $1`,
    [
      plan_id,
      phase,
      state,
      GATED.has(stage) ? AWAITING : null,
      state === 'cancelled' ? CANCELLATION : null,
      isOver ? 'TASK_STATE_CANCELED' : 'TASK_STATE_WORKING',
    ],
  );
  return plan_id;
}

describe('every state with every method', () => {
  it('has a row for each stage that a plan can be in', () => {
    expect(Object.keys(OUTCOMES).sort()).toEqual([...STAGES].sort());
  });

  const pairs = STAGES.flatMap((stage) => METHODS.map((method) => ({ stage, method, next: OUTCOMES[stage][method] })));

  it.each(pairs.filter(({ next }) => next !== null))('$stage takes plan/$method to $next', async (pair) => {
    const plan_id = await planIn(pair.stage);
    const result = await scene.ok(`_cleveragents/plan/${pair.method}`, { plan_id, ...PARAMS[pair.method] });
    expect(result['status']).toBe(pair.next);
  });

  it.each(pairs.filter(({ next }) => next === null))(
    '$stage refuses plan/$method and says what it takes',
    async (pair) => {
      const plan_id = await planIn(pair.stage);
      const before = await scene.query('SELECT * FROM plan WHERE id = $1', [plan_id]);
      const error = await scene.refused(`_cleveragents/plan/${pair.method}`, { plan_id, ...PARAMS[pair.method] });
      expect(error).toMatchObject({ code: -32004, data: { status: pair.stage } });
      const status = await scene.ok('_cleveragents/plan/status', { plan_id });
      expect(error.data['allowed']).toEqual(status['allowed_methods']);
      expect(error.data['allowed']).not.toContain(`plan/${pair.method}`);
      expect(await scene.query('SELECT * FROM plan WHERE id = $1', [plan_id])).toEqual(before);
    },
  );

  it('lets nobody cancel a plan whose target is being moved', async () => {
    const plan_id = await planIn('apply/processing');
    await scene.query('UPDATE plan SET is_committed = true WHERE id = $1', [plan_id]);
    const error = await scene.refused('_cleveragents/plan/cancel', { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { status: 'apply/processing' } });
  });

  it('does not try again what another try cannot mend', async () => {
    const plan_id = await planIn('execute/errored');
    await scene.query('UPDATE plan SET is_recoverable = false WHERE id = $1', [plan_id]);
    expect(await scene.refused('_cleveragents/plan/execute', { plan_id })).toMatchObject({ code: -32004 });
  });

  it('takes up a cancelled plan only when asked to, in a new attempt and a new task', async () => {
    const plan_id = await planIn('execute/cancelled');
    const error = await scene.refused('_cleveragents/plan/execute', { plan_id });
    expect(error).toMatchObject({ code: -32004, data: { hint: 'resume:true' } });
    const before = await scene.ok('_cleveragents/plan/status', { plan_id });
    const resumed = await scene.ok('_cleveragents/plan/execute', { plan_id, resume: true });
    expect(resumed).toMatchObject({ attempt: 2 });
    expect(resumed['task_id']).not.toBe(before['task_id']);
  });
});
