import type { JsonValue } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { actionProblems } from './action-rules.js';
import type { ActionArgument, ActionSpec } from './action-spec.js';
import { argumentProblem } from './argument-rules.js';

function argument(name: string, rest: Partial<ActionArgument> = {}): ActionArgument {
  return { name, type: 'string', required: false, secret: false, ...rest };
}

function pathsOf(change: Partial<ActionSpec>): string[] {
  const spec: ActionSpec = {
    description: 'd',
    definition_of_done: '- done',
    strategy_actor: 'builtin/strategist',
    execution_actor: 'builtin/executor',
    arguments: [],
    reusable: true,
    read_only: false,
    state: 'available',
    invariants: [],
    ...change,
  };
  return actionProblems(spec).map(({ path }) => path);
}

describe('an action', () => {
  it('uses declared arguments in its texts, by either spelling', () => {
    const texts = { description: 'Say {{note}}', definition_of_done: '- {{ args.note }} said' };
    expect(pathsOf({ ...texts, arguments: [argument('note')] })).toEqual([]);
    expect(pathsOf(texts)).toEqual(['description', 'definition_of_done']);
  });

  it('declares every argument once', () => {
    expect(pathsOf({ arguments: [argument('a'), argument('a')] })).toEqual(['arguments.1.name']);
  });

  it.each<[Partial<ActionArgument>, string]>([
    [{ type: 'enum' }, 'enum'],
    [{ enum: ['a'] }, 'enum'],
    [{ type: 'integer', min: 2, max: 1 }, 'min'],
    [{ type: 'integer', default: '85' }, 'default'],
    [{ type: 'enum', enum: ['a'], default: 'b' }, 'default'],
    [{ secret: true, default: 'x' }, 'default'],
    [{ pattern: '(' }, 'pattern'],
    [{ pattern: '^a', default: 'b' }, 'default'],
  ])('declares no argument like %j', (declaration, key) => {
    expect(pathsOf({ arguments: [argument('a', declaration)] })).toEqual([`arguments.0.${key}`]);
  });
});

describe('the value of an argument', () => {
  it.each<[Partial<ActionArgument>, JsonValue, boolean]>([
    [{ type: 'string' }, 'x', true],
    [{ type: 'string' }, 1, false],
    [{ type: 'string', min: 2 }, 'x', false],
    [{ type: 'string', pattern: '^x+$' }, 'xx', true],
    [{ type: 'integer' }, 85, true],
    [{ type: 'integer' }, '85', false],
    [{ type: 'integer' }, 8.5, false],
    [{ type: 'integer', max: 80 }, 85, false],
    [{ type: 'number' }, 8.5, true],
    [{ type: 'number', min: 9 }, 8.5, false],
    [{ type: 'boolean' }, true, true],
    [{ type: 'boolean' }, 'true', false],
    [{ type: 'enum', enum: ['a', 1] }, 1, true],
    [{ type: 'enum', enum: ['a', 1] }, '1', false],
    [{ type: 'array', max: 2 }, ['a', 1], true],
    [{ type: 'array', max: 2 }, [1, 2, 3], false],
    [{ type: 'array', pattern: '^a' }, ['a', 'b'], false],
    [{ type: 'array' }, 'a', false],
  ])('of the declaration %j may be %j: %s', (declaration, value, isRight) => {
    expect(argumentProblem(argument('a', declaration), value) === null).toBe(isRight);
  });
});
