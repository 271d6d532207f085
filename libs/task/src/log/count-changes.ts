import type { TaskDelta } from '../domain/task-fold.js';

/** By how much the number of tasks of one owner in one namespace and state changes. */
export interface CountChange {
  readonly owner: string;
  readonly namespace: string;
  readonly state: string;
  n: number;
}

/** What a batch of deltas does to the numbers of tasks, summed up; what cancels out is left out. */
export function countChanges(deltas: Iterable<TaskDelta>): CountChange[] {
  const changes = new Map<string, CountChange>();
  for (const { identity, transitions, after } of deltas) {
    const [first] = transitions;
    if (first === undefined || first.from === after.state) continue;
    add(changes, identity.owner, identity.namespace, after.state, 1);
    if (first.from !== null) add(changes, identity.owner, identity.namespace, first.from, -1);
  }
  return [...changes.values()].filter(({ n }) => n !== 0);
}

function add(changes: Map<string, CountChange>, owner: string, namespace: string, state: string, n: number): void {
  const key = `${owner}\0${namespace}\0${state}`;
  const change = changes.get(key);
  if (change === undefined) changes.set(key, { owner, namespace, state, n });
  else change.n += n;
}
