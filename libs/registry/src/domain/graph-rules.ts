import type { FieldProblem, JsonValue } from '@cleveragents/kernel';
import type { ActorGraph } from './actor-spec.js';
import { conditionProblems } from './condition-rules.js';
import { repeatProblems } from './unique.js';

/**
 * A graph that can be run to an end: nodes are unique, edges join nodes that exist, every node lies on a way from the
 * entry, every exit can be reached, and a cycle is bounded by `max_iterations`.
 */
export function graphProblems(graph: ActorGraph): FieldProblem[] {
  const shape = [...nodeProblems(graph), ...edgeProblems(graph), ...endProblems(graph)];
  return shape.length > 0 ? shape : [...reachProblems(graph), ...cycleProblems(graph)];
}

function nodeProblems({ nodes }: ActorGraph): FieldProblem[] {
  const repeats = repeatProblems(
    nodes.map((node) => node.id),
    (index) => `graph.nodes.${index}.id`,
  );
  const work = nodes.flatMap((node, index) => {
    const path = `graph.nodes.${index}`;
    if (node.type === 'llm' && node.actor === undefined) return [{ path: `${path}.actor`, message: 'is missing' }];
    if (node.type === 'tool' && node.tool === undefined) return [{ path: `${path}.tool`, message: 'is missing' }];
    return [];
  });
  return [...repeats, ...work];
}

function edgeProblems({ nodes, edges }: ActorGraph): FieldProblem[] {
  const known = new Set(nodes.map((node) => node.id));
  return edges.flatMap(({ from, to, when }, index) => {
    const path = `graph.edges.${index}`;
    return [
      ...(known.has(from) ? [] : [unknownNode(`${path}.from`, from)]),
      ...(known.has(to) ? [] : [unknownNode(`${path}.to`, to)]),
      ...(when === undefined ? [] : conditionProblems(when as unknown as JsonValue, `${path}.when`)),
    ];
  });
}

function endProblems({ nodes, entry, exits }: ActorGraph): FieldProblem[] {
  const known = new Set(nodes.map((node) => node.id));
  return [
    ...(known.has(entry) ? [] : [unknownNode('graph.entry', entry)]),
    ...(exits.length === 0 ? [{ path: 'graph.exits', message: 'must name at least one node' }] : []),
    ...exits.flatMap((exit, index) => (known.has(exit) ? [] : [unknownNode(`graph.exits.${index}`, exit)])),
  ];
}

function unknownNode(path: string, id: string): FieldProblem {
  return { path, message: `names the node "${id}", which does not exist` };
}

function reachProblems(graph: ActorGraph): FieldProblem[] {
  const reached = new Set([graph.entry]);
  for (const id of reached) for (const next of successors(graph, id)) reached.add(next);
  return graph.nodes.flatMap(({ id }, index) =>
    reached.has(id) ? [] : [{ path: `graph.nodes.${index}`, message: `"${id}" cannot be reached from the entry` }],
  );
}

function cycleProblems(graph: ActorGraph): FieldProblem[] {
  if (graph.max_iterations !== undefined) return [];
  const cyclic = cyclicNode(graph);
  if (cyclic === null) return [];
  return [{ path: 'graph.edges', message: `form a cycle through "${cyclic}"; a cycle needs graph.max_iterations` }];
}

/** Takes away nodes that nothing leads to until none is left; what stays lies on or behind a cycle. */
function cyclicNode(graph: ActorGraph): string | null {
  const incoming = new Map(graph.nodes.map(({ id }) => [id, 0]));
  for (const { to } of graph.edges) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  const free = [...incoming].filter(([, count]) => count === 0).map(([id]) => id);
  for (const id of free) {
    incoming.delete(id);
    for (const next of successors(graph, id)) {
      const left = (incoming.get(next) ?? 0) - 1;
      incoming.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  return [...incoming.keys()][0] ?? null;
}

function successors({ edges }: ActorGraph, id: string): string[] {
  return edges.filter((edge) => edge.from === id).map((edge) => edge.to);
}
