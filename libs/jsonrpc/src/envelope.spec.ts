import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope } from './envelope.js';

const CALL = { jsonrpc: '2.0', method: 'tasks/get' };

function problemOf(body: unknown) {
  const envelope = readEnvelope(body);
  if (!('error' in envelope)) throw new Error('the envelope was accepted');
  return envelope;
}

describe('readEnvelope', () => {
  it.each([0, -3, 9_007_199_254_740_991, '', '007', 'ключ-🔑', null])('R02 keeps id %j as JSON text', (id) => {
    const envelope = readEnvelope({ ...CALL, id });
    expect(JSON.parse(envelope.idText ?? '"absent"')).toEqual(id);
  });

  it('takes a call without an id for a notification', () => {
    expect(readEnvelope(CALL)).toEqual({ idText: null, method: 'tasks/get', params: undefined });
  });

  it.each([1.5, 9_007_199_254_740_992, true, { n: 1 }, [1]])('refuses id %j and answers to null', (id) => {
    const { idText, error } = problemOf({ ...CALL, id });
    expect(idText).toBe('null');
    expect(error.message).toContain('id');
  });

  it.each([{ colour: 'green' }, 'tasks/get', 7, null, true, [], { ...CALL, jsonrpc: 2, id: undefined }])(
    'R01 refuses %j',
    (body) => {
      expect(problemOf(body).idText).toBe('null');
    },
  );

  it('R01 answers a malformed call under its legal id', () => {
    expect(problemOf({ ...CALL, jsonrpc: '1.9', id: 'e' }).idText).toBe('"e"');
    expect(problemOf({ jsonrpc: '2.0', id: 4, method: 5 }).idText).toBe('4');
  });

  it('tells users of the old field names what replaced them', () => {
    const { error } = problemOf({ a2a_version: '1', request_id: 'r', operation: 'plan.status', payload: {} });
    expect(error.details.hint).toBe(
      'a2a_version is now jsonrpc, request_id is now id, operation is now method, payload is now params',
    );
  });

  it('never throws, whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const envelope = readEnvelope(body);
        return 'error' in envelope || typeof envelope.method === 'string';
      }),
    );
  });
});
