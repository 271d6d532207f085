import { isUtf8 } from 'node:buffer';
import { lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compileGlob, type SandboxPath } from '@cleveragents/workspace';
import { ToolFailure } from '../tool-failure.js';
import type { ChangeGate, GateContext, ToolLimits } from '../tool.js';

/** File operations that the built-in tools share, with failures that name the path as the caller wrote it. */

/** Text of a regular file. Whatever else may stand there, such as a pipe, is never opened: it could block for ever. */
export async function readText(tool: string, path: SandboxPath, { fileBytes }: ToolLimits): Promise<string> {
  const entry = await stat(path.absolute).catch(() => null);
  if (entry === null) throw fileMissing(tool, path.relative);
  if (!entry.isFile()) throw new ToolFailure(tool, `${path.relative} is not a file`, { path: path.relative });
  checkSize(tool, path.relative, entry.size, fileBytes);
  const content = await readFile(path.absolute);
  if (!isUtf8(content) || content.includes(0)) {
    throw new ToolFailure(tool, `${path.relative} is not a text file`, { path: path.relative }, { reason: 'NOT_TEXT' });
  }
  return content.toString('utf8');
}

export function checkSize(tool: string, path: string, size: number, limit: number): void {
  if (size <= limit) return;
  const details = { path, size_bytes: size, limit_bytes: limit };
  throw new ToolFailure(tool, `${path} is larger than ${limit} bytes`, details, { reason: 'FILE_TOO_LARGE' });
}

/** What stands at a path, a link being a link; `other` for pipes, sockets and devices. */
export async function entryKind(path: SandboxPath): Promise<'file' | 'link' | 'directory' | 'other' | null> {
  const entry = await lstat(path.absolute).catch(() => null);
  if (entry === null) return null;
  if (entry.isFile()) return 'file';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isDirectory() ? 'directory' : 'other';
}

export async function ensureParent(path: SandboxPath): Promise<void> {
  await mkdir(dirname(path.absolute), { recursive: true });
}

export function fileMissing(tool: string, path: string): ToolFailure {
  return new ToolFailure(tool, `${path} does not exist`, { path }, { reason: 'FILE_NOT_FOUND' });
}

/** Gates of a change to this path: a new file or an existing one, and configuration where the project says so. */
export async function changeGates(path: SandboxPath, { configGlobs = [] }: GateContext): Promise<ChangeGate[]> {
  const isNew = (await entryKind(path)) === null;
  const isConfig = configGlobs.some((glob) => compileGlob(glob, 'config_globs')(path.relative));
  return [isNew ? 'create_file' : 'edit_code', ...(isConfig ? (['modify_config'] as const) : [])];
}
