import { ValidationError, type JsonObject } from '@cleveragents/kernel';
import type { ActionArgument } from '@cleveragents/registry';
import { describe, expect, it } from 'vitest';
import { maskSecrets, resolveArguments } from './plan-arguments.js';

const NOTE: ActionArgument = { name: 'note', type: 'string', required: true, secret: false };
const COUNT: ActionArgument = { name: 'count', type: 'integer', required: false, secret: false, default: 3 };
const KEY: ActionArgument = { name: 'key', type: 'string', required: false, secret: true };

function problemsOf(declared: readonly ActionArgument[], given: JsonObject): unknown {
  try {
    resolveArguments(declared, given);
    return [];
  } catch (error) {
    return error instanceof ValidationError ? error.problems.map(({ path }) => path) : error;
  }
}

describe('resolveArguments', () => {
  it('fills in defaults and leaves optional arguments without one away', () => {
    expect(resolveArguments([NOTE, COUNT, KEY], { note: 'hi' })).toEqual({ note: 'hi', count: 3 });
  });

  it('converts nothing: a number in quotes is no integer', () => {
    expect(problemsOf([COUNT], { count: '85' })).toEqual(['arguments.count']);
  });

  it('names every problem at once', () => {
    expect(problemsOf([NOTE, COUNT], { count: 1.5, colour: 'red' })).toEqual([
      'arguments.colour',
      'arguments.note',
      'arguments.count',
    ]);
  });
});

describe('maskSecrets', () => {
  it('hides the values of secret arguments only', () => {
    expect(maskSecrets([NOTE, KEY], { note: 'hi', key: 'hunter2' })).toEqual({ note: 'hi', key: '***' });
  });
});
