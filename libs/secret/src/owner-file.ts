import { link, mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '@cleveragents/kernel';

/** Files that only their owner may read, written whole or not at all. */

export async function readOwnerFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function replaceOwnerFile(path: string, content: string | Uint8Array): Promise<void> {
  const aside = await writeAside(path, content);
  try {
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Creates the file, or answers what another process put there first. */
export async function createOrReadOwnerFile(path: string, content: string): Promise<string> {
  const aside = await writeAside(path, content);
  try {
    await link(aside, path);
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(path, 'utf8');
  } finally {
    await rm(aside, { force: true });
  }
}

async function writeAside(path: string, content: string | Uint8Array): Promise<string> {
  const aside = `${path}.${randomUUID()}`;
  const file = await openNew(aside);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return aside;
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // No path: the message may reach a caller.
    throw new ConfigurationError(`DATA_DIR cannot be written (${code})`, { key: 'DATA_DIR' }, { cause: error });
  }
}
