import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, sep } from 'node:path';
import { ValidationError } from '@cleveragents/kernel';

/** A caller's path, proven to lie inside a sandbox. */
export interface SandboxPath {
  /** Normalised, relative to the root, `/` between segments; empty for the root itself. */
  readonly relative: string;
  readonly absolute: string;
}

const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;

/**
 * Resolves the path of a file whose content is read or written: links are followed, and whatever leaves `root` or
 * reaches into a `.git` is refused, since git's own files decide what later git calls execute. `field` names the
 * parameter in the error. Nobody else may change the sandbox between this check and the use.
 */
export async function resolveInSandbox(root: string, path: string, field = 'path'): Promise<SandboxPath> {
  const relative = normalisePath(path, field);
  const absolute = join(root, relative);
  await refuseOutside(root, await realTarget(absolute, field), field);
  return { relative, absolute };
}

/** Resolves the path of a directory entry that is removed or renamed: the entry itself may be a link to anywhere. */
export async function resolveEntryInSandbox(root: string, path: string, field = 'path'): Promise<SandboxPath> {
  const relative = normalisePath(path, field);
  if (relative === '') throw ValidationError.of(field, 'must name something inside the sandbox');
  const absolute = join(root, relative);
  await refuseOutside(root, await realTarget(dirname(absolute), field), field);
  return { relative, absolute };
}

/** The lexical half of the check. */
export function normalisePath(path: string, field = 'path'): string {
  if (posix.isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path)) {
    throw ValidationError.of(field, 'must be relative to the sandbox', 'PATH_OUTSIDE_SANDBOX');
  }
  const normal = posix.normalize(path).replace(/\/+$/, '');
  if (normal === '..' || normal.startsWith('../')) {
    throw ValidationError.of(field, 'leaves the sandbox', 'PATH_OUTSIDE_SANDBOX');
  }
  refuseImpossibleName(normal, field);
  refuseGitDirectory(normal, field);
  return normal === '.' ? '' : normal;
}

/** What no file system could hold; said here, where the parameter can be named. */
function refuseImpossibleName(path: string, field: string): void {
  if (path.includes('\0')) throw ValidationError.of(field, 'must not contain a zero byte');
  const isTooLong =
    Buffer.byteLength(path) > MAX_PATH_BYTES ||
    path.split('/').some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES);
  if (isTooLong) throw ValidationError.of(field, 'is too long');
}

async function refuseOutside(root: string, real: string, field: string): Promise<void> {
  const realRoot = await realpath(root);
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    throw ValidationError.of(field, 'leaves the sandbox through a link', 'PATH_OUTSIDE_SANDBOX');
  }
  refuseGitDirectory(real.slice(realRoot.length), field);
}

const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Some file systems ignore case, invisible characters, or trailing dots and blanks in a name; so does this check. */
function refuseGitDirectory(path: string, field: string): void {
  const segments = path.replace(INVISIBLE, '').split(/[\\/]/);
  if (segments.some((segment) => /^(\.git|git~\d+)[. ]*$/i.test(segment))) {
    throw ValidationError.of(field, 'reaches into .git', 'PATH_PROTECTED');
  }
}

/**
 * Where a path really ends, even if its last parts do not exist yet. A link that leads nowhere is refused: only the
 * system knows where writing through it would create a file.
 */
async function realTarget(path: string, field: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ELOOP') throw ValidationError.of(field, 'has a loop of links');
    if (code === 'ENOTDIR') throw ValidationError.of(field, 'goes through a file as if it were a directory');
    if (code !== 'ENOENT') throw error;
  }
  if (await exists(path)) throw ValidationError.of(field, 'goes through a link that leads nowhere');
  return join(await realTarget(dirname(path), field), basename(path));
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
