import { newUlid, type JsonObject } from '@cleveragents/kernel';
import type { TaskDelta, TaskIdentity, Transition } from '../domain/task-fold.js';
import { stateName } from '../domain/task-state.js';
import { ColumnSet } from './columns.js';
import { countChanges } from './count-changes.js';

/** One task's delta with what the rows need besides: who runs the task before and after it. */
export interface CommitUnit {
  readonly delta: TaskDelta;
  /** The runner that must hold the task for the write to count; null = nobody runs it. */
  readonly runnerBefore: string | null;
  readonly runnerAfter: string | null;
}

export interface CommitStatement {
  /** Name of the prepared statement: the same for every batch that has the same kinds of rows. */
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

const TASK_COLUMNS = {
  id: 'uuid',
  namespace: 'text',
  owner: 'text',
  context_id: 'text',
  dialect: 'text',
  executor: 'text',
  state: 'text',
  status: 'text',
  status_at: 'time',
  metadata: 'optional',
  request_hash: 'optional',
  last_seq: 'int',
  folded_seq: 'int',
  message_count: 'int',
  segment_count: 'int',
  runner: 'optional',
  created_at: 'time',
} as const;

const MOVE_COLUMNS = {
  id: 'uuid',
  previous_seq: 'int',
  runner_before: 'optional',
  state: 'text',
  status: 'text',
  status_at: 'time',
  last_seq: 'int',
  folded_seq: 'int',
  message_count: 'int',
  segment_count: 'int',
  runner: 'optional',
} as const;

const EVENT_COLUMNS = { task_id: 'uuid', seq: 'int', frames: 'text' } as const;
const MESSAGE_COLUMNS = { task_id: 'uuid', n: 'int', body: 'text' } as const;
const ARTIFACT_COLUMNS = { task_id: 'uuid', n: 'int', mode: 'text', body: 'text' } as const;
const COUNT_COLUMNS = { owner: 'text', namespace: 'text', state: 'text', n: 'int' } as const;
const AUDIT_COLUMNS = {
  id: 'text',
  at: 'time',
  event: 'text',
  method: 'optional',
  outcome: 'text',
  user_identity: 'text',
  token_id: 'optional',
  namespace: 'text',
  task_id: 'text',
  context_id: 'text',
  correlation_id: 'text',
  details: 'text',
} as const;

/**
 * Makes a batch of units durable in ONE statement, all or nothing: task rows, events, messages, artifact pieces, audit
 * records and what changes in the numbers of tasks. An update counts only if the row still stands where the fold left it
 * (`last_seq`) and is held by the expected runner; one that does not makes the statement fail by a division by zero, so
 * that nothing of the batch is half-written. The caller then commits the units one by one to find the guilty one.
 */
export function commitStatement(units: readonly CommitUnit[]): CommitStatement {
  const rows = {
    task: new ColumnSet(TASK_COLUMNS),
    moved: new ColumnSet(MOVE_COLUMNS),
    event: new ColumnSet(EVENT_COLUMNS),
    message: new ColumnSet(MESSAGE_COLUMNS),
    artifact: new ColumnSet(ARTIFACT_COLUMNS),
    audit: new ColumnSet(AUDIT_COLUMNS),
    count: new ColumnSet(COUNT_COLUMNS),
  };
  for (const unit of units) {
    if (unit.delta.previousSeq === 0) addTask(rows.task, unit);
    else addMove(rows.moved, unit);
    addLogRows(rows, unit);
    addAudit(rows.audit, unit);
  }
  for (const change of countChanges(units.map(({ delta }) => delta))) rows.count.add({ ...change });
  return assemble(rows);
}

interface Rows {
  readonly task: ColumnSet<keyof typeof TASK_COLUMNS>;
  readonly moved: ColumnSet<keyof typeof MOVE_COLUMNS>;
  readonly event: ColumnSet<keyof typeof EVENT_COLUMNS>;
  readonly message: ColumnSet<keyof typeof MESSAGE_COLUMNS>;
  readonly artifact: ColumnSet<keyof typeof ARTIFACT_COLUMNS>;
  readonly audit: ColumnSet<keyof typeof AUDIT_COLUMNS>;
  readonly count: ColumnSet<keyof typeof COUNT_COLUMNS>;
}

function addTask(rows: Rows['task'], { delta: { identity, after }, runnerAfter }: CommitUnit): void {
  rows.add({
    id: identity.id,
    namespace: identity.namespace,
    owner: identity.owner,
    context_id: identity.contextId,
    dialect: identity.dialect,
    executor: identity.executor,
    state: after.state,
    status: after.statusText,
    status_at: after.statusAt,
    metadata: identity.metadata,
    request_hash: identity.requestHash,
    last_seq: after.lastSeq,
    folded_seq: after.foldedSeq,
    message_count: after.messageCount,
    segment_count: after.segmentCount,
    runner: runnerAfter,
    created_at: identity.createdAt,
  });
}

function addMove(rows: Rows['moved'], { delta, runnerBefore, runnerAfter }: CommitUnit): void {
  const { after } = delta;
  rows.add({
    id: delta.identity.id,
    previous_seq: delta.previousSeq,
    runner_before: runnerBefore,
    state: after.state,
    status: after.statusText,
    status_at: after.statusAt,
    last_seq: after.lastSeq,
    folded_seq: after.foldedSeq,
    message_count: after.messageCount,
    segment_count: after.segmentCount,
    runner: runnerAfter,
  });
}

function addLogRows(rows: Rows, { delta }: CommitUnit): void {
  const task_id = delta.identity.id;
  if (delta.events.length > 0) {
    rows.event.add({ task_id, seq: delta.after.lastSeq, frames: delta.events.map((event) => event.text).join('\n') });
  }
  let n = delta.firstMessage;
  for (const body of delta.messages) rows.message.add({ task_id, n: n++, body });
  n = delta.firstSegment;
  for (const { mode, body } of delta.segments) rows.artifact.add({ task_id, n: n++, mode, body });
}

function addAudit(rows: Rows['audit'], { delta: { identity, transitions } }: CommitUnit): void {
  for (const transition of transitions) {
    const { at, from, origin } = transition;
    rows.add({
      id: newUlid(),
      at,
      event: from === null ? 'task_created' : 'task_state_changed',
      method: origin.method,
      outcome: 'ok',
      user_identity: origin.userIdentity,
      token_id: origin.tokenId,
      namespace: identity.namespace,
      task_id: identity.id,
      context_id: identity.contextId,
      correlation_id: origin.correlationId,
      details: JSON.stringify(auditDetails(identity, transition)),
    });
  }
}

function auditDetails({ executor, dialect }: TaskIdentity, { from, to, seq, reason }: Transition): JsonObject {
  if (from === null) return { executor, dialect };
  return { from: stateName(from), to: stateName(to), seq, ...(reason === null ? {} : { reason }) };
}

const UPDATE_TASK = `UPDATE task SET state = r.state, status = r.status, status_at = r.status_at, last_seq = r.last_seq,
  folded_seq = r.folded_seq, message_count = r.message_count, segment_count = r.segment_count,
  runner = nullif(r.runner, E'\\x1e'),
  progress_at = CASE WHEN r.last_seq > task.last_seq THEN now() ELSE task.progress_at END
  FROM %from% WHERE task.id = r.id AND task.last_seq = r.previous_seq
  AND task.runner IS NOT DISTINCT FROM nullif(r.runner_before, E'\\x1e') RETURNING 1`;

const TABLES: Readonly<Record<Exclude<keyof Rows, 'moved'>, string>> = {
  task: 'task',
  event: 'task_event',
  message: 'message',
  artifact: 'artifact',
  audit: 'audit',
  count: 'task_count_change',
};

const TEXTS = new Map<string, string>();

function assemble(rows: Rows): CommitStatement {
  const values: string[] = [];
  const used = Object.entries(rows).filter(([, set]) => set.size > 0) as [keyof Rows, ColumnSet<string>][];
  const name = `task_commit_${used.map(([table]) => table).join('_')}`;
  for (const [, set] of used) values.push(...set.parameters());
  if (rows.moved.size > 0) values.push(String(rows.moved.size));
  let text = TEXTS.get(name);
  if (text === undefined) TEXTS.set(name, (text = statementText(used)));
  return { name, text, values };
}

function statementText(used: readonly [keyof Rows, ColumnSet<string>][]): string {
  let next = 1;
  const parts = used.map(([table, set]) => {
    const from = set.from(next);
    next += set.parameters().length;
    if (table === 'moved') return `moved AS (${UPDATE_TASK.replace('%from%', from)})`;
    return `${table}_rows AS (INSERT INTO ${TABLES[table]} (${set.list()}) SELECT ${set.select()} FROM ${from})`;
  });
  const hasMoves = used.some(([table]) => table === 'moved');
  const check = hasMoves ? `1 / (CASE WHEN (SELECT count(*) FROM moved) = $${next}::int THEN 1 ELSE 0 END)` : '1';
  return `WITH ${parts.join(',\n')}\nSELECT ${check} AS ok`;
}

/** What the database refused: the id of a new task is taken, or the row is not where and whose the fold left it. */
export type CommitRefusal = 'exists' | 'moved';

const DIVISION_BY_ZERO = '22012';
const UNIQUE_VIOLATION = '23505';

/** Null for any other error. A unique violation under an existing task is a guard that lost a race: the number is taken. */
export function refusalOf(error: unknown, { delta }: CommitUnit): CommitRefusal | null {
  const { code } = error as { code?: unknown };
  if (code === UNIQUE_VIOLATION) return delta.previousSeq === 0 ? 'exists' : 'moved';
  return code === DIVISION_BY_ZERO ? 'moved' : null;
}
