import type { JsonObject } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { readCorrectionWish } from './correction-message.js';

function read(part: { text: string } | { data: JsonObject }): ReturnType<typeof readCorrectionWish> {
  return readCorrectionWish({ messageId: 'm', role: 'ROLE_USER', parts: [part] });
}

describe('readCorrectionWish', () => {
  it('reads the choice of another strategy', () => {
    const expected = { decision: 'strategy', correction: { mode: 'revert', choose: 2 } };
    expect(read({ text: ' Correct strategy choose 2 ' })).toEqual(expected);
  });

  it('reads which step is to be left out', () => {
    const expected = { decision: 'step bump-test', correction: { mode: 'revert', steps: { 'bump-test': 'skip' } } };
    expect(read({ text: 'correct step bump-test skip' })).toEqual(expected);
  });

  it('reads a data part, about the strategy if it names no decision', () => {
    const correction = { mode: 'append', guidance: 'mind the comma' };
    expect(read({ data: { correction } })).toEqual({ decision: 'strategy', correction });
    expect(read({ data: { correction, decision_id: 'root' } })).toEqual({ decision: 'root', correction });
  });

  it.each(['correct the strategy', 'correct strategy choose 0', 'please correct strategy choose 2', 'approve', ''])(
    'does not take %j for a correction',
    (text) => {
      expect(read({ text })).toBeNull();
    },
  );
});
