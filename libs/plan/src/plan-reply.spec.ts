import { ValidationError } from '@cleveragents/kernel';
import type { Part } from '@cleveragents/protocol';
import { describe, expect, it } from 'vitest';
import { readReply } from './plan-reply.js';

function reply(...parts: Part[]): ReturnType<typeof readReply> {
  return readReply({ messageId: 'm', role: 'ROLE_USER', parts });
}

describe('readReply', () => {
  it.each(['approve', ' Approve ', 'APPROVE'])('takes %j as an answer', (text) => {
    expect(reply({ text })).toMatchObject({ answer: 'approve' });
  });

  it.each(['approve!', 'approve it', 'I approve', 'rejected', 'yes'])('takes %j as guidance', (text) => {
    expect(reply({ text })).toEqual({ message: text });
  });

  it('reads a data part, with the note or the text beside it', () => {
    expect(reply({ data: { answer: 'reject', decision_id: 'd1', note: 'too early' } })).toEqual({
      message: 'too early',
      answer: 'reject',
      decision_id: 'd1',
    });
    expect(reply({ text: 'looks fine' }, { data: { answer: 'approve' } })).toEqual({
      message: 'looks fine',
      answer: 'approve',
    });
    expect(reply({ data: { answer: 'approve' } })).toEqual({ message: 'approve', answer: 'approve' });
  });

  it.each<[string, Part[]]>([
    ['an answer that is none', [{ data: { answer: 'maybe' } }]],
    ['neither text nor answer', [{ data: { colour: 'red' } }]],
    ['a text that is too long', [{ text: 'a'.repeat(8001) }]],
  ])('refuses %s', (_, parts) => {
    expect(() => reply(...parts)).toThrow(ValidationError);
  });
});
