import { describe, expect, it } from 'vitest';
import type { ActorGraph } from './actor-spec.js';
import { graphProblems } from './graph-rules.js';

const LINE: ActorGraph = {
  nodes: [
    { id: 'plan', type: 'llm', actor: 'acme/planner' },
    { id: 'route', type: 'router' },
    { id: 'edit', type: 'tool', tool: 'builtin/edit_file' },
  ],
  edges: [
    { from: 'plan', to: 'route' },
    { from: 'route', to: 'edit', when: { exists: 'src' } },
  ],
  entry: 'plan',
  exits: ['edit'],
};

function pathsOf(change: Partial<ActorGraph>): string[] {
  return graphProblems({ ...LINE, ...change }).map(({ path }) => path);
}

describe('a graph', () => {
  it('may be a line', () => {
    expect(pathsOf({})).toEqual([]);
  });

  it('has nodes with unique ids and the work of their type', () => {
    const nodes = [...LINE.nodes, { id: 'edit', type: 'tool' as const }, { id: 'ask', type: 'llm' as const }];
    expect(pathsOf({ nodes })).toEqual(['graph.nodes.3.id', 'graph.nodes.3.tool', 'graph.nodes.4.actor']);
  });

  it('has edges, entry and exits that name nodes', () => {
    const edges = [...LINE.edges, { from: 'a', to: 'b', when: { exists: '' } }];
    expect(pathsOf({ edges, entry: 'c', exits: ['d'] })).toEqual([
      'graph.edges.2.from',
      'graph.edges.2.to',
      'graph.edges.2.when.exists',
      'graph.entry',
      'graph.exits.0',
    ]);
    expect(pathsOf({ exits: [] })).toEqual(['graph.exits']);
  });

  it('has no node that cannot be reached', () => {
    expect(pathsOf({ nodes: [...LINE.nodes, { id: 'island', type: 'router' }] })).toEqual(['graph.nodes.3']);
  });

  it('has a cycle only with a bound', () => {
    const edges = [...LINE.edges, { from: 'edit', to: 'plan' }];
    expect(pathsOf({ edges })).toEqual(['graph.edges']);
    expect(pathsOf({ edges, max_iterations: 5 })).toEqual([]);
    expect(pathsOf({ edges: [...LINE.edges, { from: 'edit', to: 'edit' }] })).toEqual(['graph.edges']);
  });
});
