import { describe, expect, it } from 'vitest';
import { apply, chunk, COMPLETED, message, newFold, ORIGIN, WORKING } from '../domain/task-fold.fixture.js';
import type { TaskChange } from '../task-journal.js';
import { commitStatement, refusalOf, type CommitUnit } from './commit-statement.js';

function created(id: string, ...changes: TaskChange[]): CommitUnit {
  const delta = apply(newFold({ id }), ...changes).takeDelta();
  return { delta, runnerBefore: null, runnerAfter: 'runner-1' };
}

function moved(id: string, ...changes: TaskChange[]): CommitUnit {
  const fold = newFold({ id });
  fold.takeDelta();
  return { delta: apply(fold, ...changes).takeDelta(), runnerBefore: 'runner-1', runnerAfter: null };
}

const ONE = '00000000-0000-8000-8000-000000000001';
const TWO = '00000000-0000-8000-8000-000000000002';

describe('a commit statement', () => {
  it('has one name and one text for the same kinds of rows, however many there are', () => {
    const small = commitStatement([created(ONE)]);
    const large = commitStatement([created(ONE, WORKING), created(TWO, WORKING, chunk('a', 'x'))]);
    expect([large.name, large.text]).toEqual([small.name, small.text]);
    expect(large.values).toHaveLength(small.values.length);
    expect(small.name).toBe('task_commit_task_event_message_audit_count');
  });

  it('has another name for other kinds of rows', () => {
    const batches = [
      [created(ONE)],
      [created(ONE, chunk('a', 'x'), COMPLETED)],
      [moved(ONE, WORKING)],
      [moved(ONE, { kind: 'message', message: message('m-2') })],
      [created(ONE), moved(TWO, WORKING)],
    ];
    const statements = batches.map(commitStatement);
    expect(new Set(statements.map(({ name }) => name)).size).toBe(batches.length);
    for (const { text, values } of statements) {
      const used = new Set(text.match(/\$\d+/g));
      expect(used.size).toBe(values.length);
    }
  });

  it('puts the events of a unit into one row, numbered by the last', () => {
    const { values } = commitStatement([created(ONE, WORKING, COMPLETED)]);
    expect(values).toContain('{3}');
    expect(values.find((value) => value.split('\n').length === 3)).toBeDefined();
  });

  it('demands that as many rows move as there are units that move one', () => {
    const { text, values } = commitStatement([moved(ONE, WORKING), moved(TWO, WORKING)]);
    expect(text).toContain(`= $${values.length}::int THEN 1 ELSE 0 END`);
    expect(values.at(-1)).toBe('2');
  });

  it('names whoever caused each transition in the audit trail', () => {
    const fold = newFold({ id: ONE });
    fold.apply(WORKING, '2026-01-02T03:04:06.000Z', { ...ORIGIN, userIdentity: 'eve', correlationId: 'c-2' });
    const { values } = commitStatement([{ delta: fold.takeDelta(), runnerBefore: null, runnerAfter: null }]);
    expect(values).toContain('ada\u001Feve');
    expect(values).toContain('c-1\u001Fc-2');
    expect(values).toContain('task_created\u001Ftask_state_changed');
    expect(values).toContain('{2026-01-02T03:04:05.678Z,2026-01-02T03:04:06.000Z}');
  });
});

describe('a refused commit', () => {
  it.each([
    ['23505', 'exists', 'moved'],
    ['22012', 'moved', 'moved'],
    ['22021', null, null],
    [undefined, null, null],
  ])('with code %s means %s for a new task and %s for a stored one', (code, forNew, forStored) => {
    const error = Object.assign(new Error('refused'), { code });
    expect(refusalOf(error, created(ONE))).toBe(forNew);
    expect(refusalOf(error, moved(ONE, WORKING))).toBe(forStored);
  });
});
