import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compileGlob } from '@cleveragents/workspace';
import type { ToolCall, ToolSpec } from '../tool-spec.js';
import { objectSchema, READS, TEXT_SCHEMA } from './schemas.js';

const MAX_FILES = 10_000;
/** Never listed: git's own files, and dependencies, which are not the project's. */
const LEFT_OUT = new Set(['.git', 'node_modules']);

export const listFilesTool: ToolSpec<{ glob?: string }> = {
  definition: {
    name: 'builtin/list_files',
    description: `Lists files, at most ${MAX_FILES}, optionally those that a glob such as src/**/*.ts matches`,
    inputSchema: objectSchema({ glob: TEXT_SCHEMA }, []),
    outputSchema: objectSchema({ files: { type: 'array', items: TEXT_SCHEMA }, truncated: { type: 'boolean' } }),
    capabilities: READS,
  },

  async gates(): Promise<[]> {
    return [];
  },

  async run({ glob }, call) {
    const matches = glob === undefined ? () => true : compileGlob(glob);
    const files: string[] = [];
    for await (const path of walk(call, '')) {
      if (matches(path)) files.push(path);
      if (files.length > MAX_FILES) break;
    }
    const isTruncated = files.length > MAX_FILES;
    const listed = files.slice(0, MAX_FILES);
    return { output: { files: listed, truncated: isTruncated }, summary: `${listed.length} files` };
  },
};

/** Files and links below a directory, in order of name; links are not followed. */
async function* walk(call: ToolCall, directory: string): AsyncGenerator<string> {
  call.signal.throwIfAborted();
  const entries = await readdir(join(call.root, directory), { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    if (LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) yield* walk(call, path);
    else if (entry.isFile() || entry.isSymbolicLink()) yield path;
  }
}
