import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '@cleveragents/kernel';
import { openKeyFile, openKeyRing, readKeyRing } from './key-file.js';

describe('openKeyFile', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'key-file-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('makes a key once, for the eyes of its owner only', async () => {
    const path = join(directory, 'made', 'key');
    const key = await openKeyFile(path);
    expect(key.symmetricKeySize).toBe(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await openKeyFile(path)).equals(key)).toBe(true);
    expect((await readFile(path, 'utf8')).trim()).toBe(key.export().toString('base64url'));
  });

  it('gives all who open it at the same time the same key', async () => {
    const path = join(directory, 'shared');
    const keys = await Promise.all(Array.from({ length: 8 }, () => openKeyFile(path)));
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
  });

  it.each(['', 'short\n', '\n'])('refuses a damaged file: %j', async (content) => {
    const path = join(directory, 'damaged');
    await writeFile(path, content);
    const refusal = openKeyFile(path);
    await expect(refusal).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refusal).rejects.not.toThrow(directory);
  });
});

describe('a key ring', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'key-ring-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('holds the keys of the lines of its file, in their order', async () => {
    const path = join(directory, 'ring');
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(48, 2)];
    await writeFile(path, `${first.toString('base64')}\r\n\n  ${second.toString('base64url')}\n`);
    for (const ring of [await openKeyRing(path), await readKeyRing(path)]) {
      expect(ring.map((key) => key.export())).toEqual([first, second]);
    }
    expect((await openKeyFile(path)).export()).toEqual(first);
  });

  it('is refused if a single one of its keys is too short', async () => {
    const path = join(directory, 'half');
    await writeFile(path, `${Buffer.alloc(32, 1).toString('base64url')}\nshort\n`);
    await expect(readKeyRing(path)).rejects.toBeInstanceOf(ConfigurationError);
  });

  it('that must be there is not made up', async () => {
    const path = join(directory, 'absent');
    await expect(readKeyRing(path)).rejects.toThrow('There is no key file absent');
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
