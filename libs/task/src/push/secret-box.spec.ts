import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PushKeys } from './push-keys.js';
import { SecretBox } from './secret-box.js';

const [OLD, NEW] = [createSecretKey(Buffer.alloc(32, 1)), createSecretKey(Buffer.alloc(32, 2))];
const PLACE = { taskId: 't', id: 'default', field: 'token' } as const;

describe('SecretBox', () => {
  it('opens what it has sealed, and nothing of it shows', async () => {
    const box = new SecretBox(await PushKeys.of([OLD]));
    const secret = 'tok-one €';
    const sealed = box.seal(secret, PLACE);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('tok-one');
    expect(box.seal(secret, PLACE)).not.toBe(sealed);
    expect(box.open(sealed, box.keyId, PLACE)).toBe(secret);
  });

  it('opens nothing that was changed or moved', async () => {
    const box = new SecretBox(await PushKeys.of([OLD]));
    const sealed = box.seal('tok-one', PLACE);
    const changed = Buffer.from(sealed, 'base64url');
    changed.writeUInt8(changed.readUInt8(14) ^ 1, 14);
    expect(() => box.open(changed.toString('base64url'), box.keyId, PLACE)).toThrow(/authenticat/i);
    expect(() => box.open(sealed.slice(0, 20), box.keyId, PLACE)).toThrow(/authenticat/i);
    for (const elsewhere of [{ taskId: 'u' }, { id: 'other' }, { field: 'credentials' as const }]) {
      expect(() => box.open(sealed, box.keyId, { ...PLACE, ...elsewhere })).toThrow(/authenticat/i);
    }
  });

  it('seals with the newest key and opens with the older ones', async () => {
    const before = new SecretBox(await PushKeys.of([OLD]));
    const after = new SecretBox(await PushKeys.of([NEW, OLD]));
    const sealed = before.seal('tok-one', PLACE);
    expect(after.keyId).not.toBe(before.keyId);
    expect(after.keyIds).toEqual([after.keyId, before.keyId]);
    expect(after.open(sealed, before.keyId, PLACE)).toBe('tok-one');
    expect(() => before.open(after.seal('x', PLACE), after.keyId, PLACE)).toThrow('There is no key');
  });
});
