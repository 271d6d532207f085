import type { ActorStep } from '@cleveragents/registry';
import { describe, expect, it } from 'vitest';
import { checklistStrategy } from './checklist-strategist.js';
import { chooseStrategy, stepsById, type Steps } from './strategist.js';

function step(id: string, title?: string): ActorStep {
  return { id, title, tool: 'builtin/write_file', inputs: {}, on_error: 'stop', confidence: 1 };
}

const ACTOR: Steps = {
  strategies: [
    { id: 'edit', title: 'Edit it', when: { exists: 'a.txt' }, confidence: 0.95, steps: ['two', 'one'] },
    { id: 'create', title: 'Create it', confidence: 0.5, steps: ['one'] },
    { id: 'never', title: 'Never', when: { exists: 'c.txt' }, confidence: 1, steps: [] },
  ],
  steps: [step('one'), step('two', 'The second')],
};

const place = (...files: string[]) => ({ exists: async (path: string) => files.includes(path) });

describe('chooseStrategy', () => {
  it('chooses the first strategy whose condition holds and says why not the others', async () => {
    const strategy = await chooseStrategy(ACTOR, place('a.txt'), {});
    expect(strategy).toMatchObject({ id: 'edit', confidence: 0.95 });
    expect(strategy.options).toEqual([
      { id: 'edit', title: 'Edit it', isChosen: true },
      { id: 'create', title: 'Create it', isChosen: false, reasonRejected: 'an earlier strategy was possible' },
      { id: 'never', title: 'Never', isChosen: false, reasonRejected: 'its condition does not hold' },
    ]);
    expect(strategy.steps.map(({ description }) => description)).toEqual([
      'two: The second',
      'one: builtin/write_file',
    ]);
  });

  it('goes on to a strategy without condition', async () => {
    expect(await chooseStrategy(ACTOR, place(), {})).toMatchObject({
      id: 'create',
      options: [{ isChosen: false }, {}, {}],
    });
  });

  it('takes steps without strategies as one strategy of all of them', async () => {
    const strategy = await chooseStrategy({ ...ACTOR, strategies: [] }, place(), {});
    expect(strategy.options).toHaveLength(1);
    expect(strategy.steps.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('fails when none is possible', async () => {
    const actor = { ...ACTOR, strategies: ACTOR.strategies.slice(2) };
    await expect(chooseStrategy(actor, place(), {})).rejects.toMatchObject({ reason: 'NO_STRATEGY' });
  });
});

describe('stepsById', () => {
  it('fails for a step that the actor does not have', () => {
    expect(() => stepsById(ACTOR, ['three'])).toThrow('no step "three"');
  });
});

describe('checklistStrategy', () => {
  it('makes one thing to do of every bullet', () => {
    const { steps } = checklistStrategy('Done when:\n- greeting changed\n * test updated\n2. changelog written\n');
    expect(steps).toEqual(
      ['greeting changed', 'test updated', 'changelog written'].map((description, index) => ({
        id: `point-${index + 1}`,
        description,
        tool: null,
        confidence: 1,
      })),
    );
  });

  it('takes a text without bullets as one of them', () => {
    expect(checklistStrategy(' All is well. \n').steps).toMatchObject([{ description: 'All is well.' }]);
  });
});
