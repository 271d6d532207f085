import { stat, writeFile, readFile } from 'node:fs/promises';
import { resolveInSandbox } from '@cleveragents/workspace';
import type { ToolSpec } from '../tool-spec.js';
import { ToolFailure } from '../tool-failure.js';
import { changeGates, checkSize, ensureParent } from './file-access.js';
import { objectSchema, PATH_SCHEMA, TEXT_SCHEMA, WRITES } from './schemas.js';

const NAME = 'builtin/write_file';

export const writeFileTool: ToolSpec<{ path: string; content: string }> = {
  definition: {
    name: NAME,
    description: 'Writes a text file, replacing what it held; directories are made as needed',
    inputSchema: objectSchema({ path: PATH_SCHEMA, content: TEXT_SCHEMA }),
    outputSchema: objectSchema({ path: TEXT_SCHEMA, created: { type: 'boolean' }, size_bytes: { type: 'integer' } }),
    capabilities: { ...WRITES, isIdempotent: true },
  },

  async gates(inputs, context) {
    return changeGates(await resolveInSandbox(context.root, inputs.path), context);
  },

  async run(inputs, { root, limits }) {
    const path = await resolveInSandbox(root, inputs.path);
    const content = Buffer.from(inputs.content, 'utf8');
    checkSize(NAME, path.relative, content.length, limits.fileBytes);
    const existing = await stat(path.absolute).catch(() => null);
    if (path.relative === '' || (existing !== null && !existing.isFile())) {
      throw new ToolFailure(NAME, `${inputs.path} is not a file`, { path: path.relative });
    }
    const output = { path: path.relative, created: existing === null, size_bytes: content.length };
    if (existing?.size === content.length && content.equals(await readFile(path.absolute))) {
      return { output, summary: `${path.relative} is so already` };
    }
    await ensureParent(path);
    await writeFile(path.absolute, content);
    const verb = existing === null ? 'created' : 'rewrote';
    return { output, changedPaths: [path.relative], summary: `${verb} ${path.relative}` };
  },
};
