import type { JsonObject } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import type { ActorStep, ActorStrategy, ToolActorSpec } from './actor-spec.js';
import { toolActorProblems } from './tool-actor-rules.js';

function step(id: string, rest: Partial<ActorStep> = {}): ActorStep {
  return { id, tool: 'builtin/read_file', inputs: { path: 'a' }, on_error: 'stop', confidence: 1, ...rest };
}

function strategy(id: string, steps: string[], rest: Partial<ActorStrategy> = {}): ActorStrategy {
  return { id, title: id, confidence: 1, steps, ...rest };
}

function pathsOf(actor: Pick<ToolActorSpec, 'steps' | 'strategies'>): string[] {
  return toolActorProblems({ type: 'tool', unsafe: false, lsp_servers: [], ...actor }).map(({ path }) => path);
}

describe('a deterministic actor', () => {
  it('holds together', () => {
    const steps = [step('a'), step('b', { inputs: { text: '{{steps.a.output.content}} {{ project.name }}' } })];
    expect(pathsOf({ steps, strategies: [strategy('s', ['b', 'a'])] })).toEqual([]);
  });

  it('has steps', () => {
    expect(pathsOf({ steps: [], strategies: [] })).toEqual(['steps']);
  });

  it('has ids that are unique among steps and among strategies', () => {
    const strategies = [strategy('a', ['a']), strategy('a', ['a'])];
    expect(pathsOf({ steps: [step('a'), step('b'), step('a')], strategies })).toEqual([
      'steps.2.id',
      'strategies.1.id',
    ]);
  });

  it('has strategies that name each of their steps once, and only steps that exist', () => {
    expect(pathsOf({ steps: [step('a')], strategies: [strategy('s', ['a', 'b', 'a'])] })).toEqual([
      'strategies.0.steps.1',
      'strategies.0.steps.2',
    ]);
  });

  it.each<[string, JsonObject]>([
    ['no look-up', { nested: [{ text: '{{1 + 1}}' }] }],
    ['an unknown root', { nested: [{ text: '{{env.HOME}}' }] }],
    ['a step that does not exist', { nested: [{ text: '{{steps.z.output.x}}' }] }],
    ['the step itself', { nested: [{ text: '{{steps.a.output.x}}' }] }],
    ['a whole output', { nested: [{ text: '{{steps.b.output}}' }] }],
  ])('has no template of %s', (_, inputs) => {
    expect(pathsOf({ steps: [step('a', { inputs }), step('b')], strategies: [] })).toEqual([
      'steps.0.inputs.nested.0.text',
    ]);
  });

  it('has conditions of known form, and strategies that ask for no output of a step', () => {
    const steps = [step('a', { when: { exists: '{{steps.b.output.path}}' } }), step('b')];
    const strategies = [strategy('s', ['a'], { when: { exists: '{{steps.b.output.path}}' } })];
    expect(pathsOf({ steps, strategies })).toEqual(['strategies.0.when.exists']);
  });
});
