import { describe, expect, it } from 'vitest';
import { eventsOfRow } from './task-event.js';
import { apply, chunk, COMPLETED, IDENTITY, INPUT_REQUIRED, newFold, WORKING } from './task-fold.fixture.js';

const AUTH_REQUIRED = { kind: 'status', state: 'TASK_STATE_AUTH_REQUIRED' } as const;

describe('the events of a stored row', () => {
  it('are numbered back from the last one and keep their states', () => {
    const fold = newFold({ contextId: 'a "quoted\\" {"state":"TASK_STATE_FAILED"' });
    fold.takeDelta();
    const { events } = apply(fold, WORKING, chunk('a', '{"statusUpdate":"x"}'), COMPLETED).takeDelta();
    const read = eventsOfRow(IDENTITY.id, 4, events.map(({ text }) => text).join('\n'));
    expect(read.map(({ seq, state }) => [seq, state])).toEqual([
      [2, 'TASK_STATE_WORKING'],
      [3, null],
      [4, 'TASK_STATE_COMPLETED'],
    ]);
    expect(read.map((event) => event.value())).toEqual(events.map((event) => event.value()));
    expect(read[1]?.cursor).toBe('0123abcd-3');
  });
});

describe('an event', () => {
  const events = apply(newFold(), WORKING, chunk('a', 'x'), INPUT_REQUIRED, AUTH_REQUIRED, COMPLETED).takeDelta()
    .events;

  it('knows whether the task ends, pauses or rests with it', () => {
    expect(events.map(({ isLast, isPause, isRest }) => [isLast, isPause, isRest])).toEqual([
      [false, false, false],
      [false, false, false],
      [false, false, false],
      [false, true, true],
      [false, false, true],
      [true, false, true],
    ]);
  });

  it('is parsed once however many readers ask, also as the last one of a stream', () => {
    const pause = events[3] ?? expect.fail('no event');
    expect(pause.value()).toBe(pause.value());
    expect(pause.asLast()).toBe(pause.asLast());
    expect(pause.asLast()).toMatchObject({ isLast: true, cursor: pause.cursor, text: pause.text });
    expect(pause.asLast().value()).toBe(pause.value());
  });
});
