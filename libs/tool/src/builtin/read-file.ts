import { resolveInSandbox } from '@cleveragents/workspace';
import type { ToolSpec } from '../tool-spec.js';
import { checkSize, readText } from './file-access.js';
import { objectSchema, PATH_SCHEMA, READS, TEXT_SCHEMA } from './schemas.js';

const NAME = 'builtin/read_file';

export const readFileTool: ToolSpec<{ path: string }> = {
  definition: {
    name: NAME,
    description: 'Reads a text file',
    inputSchema: objectSchema({ path: PATH_SCHEMA }),
    outputSchema: objectSchema({ content: TEXT_SCHEMA, size_bytes: { type: 'integer' } }),
    capabilities: READS,
  },

  async gates(): Promise<[]> {
    return [];
  },

  async run(inputs, { root, limits }) {
    const path = await resolveInSandbox(root, inputs.path);
    const content = await readText(NAME, path, limits);
    const size = Buffer.byteLength(content);
    checkSize(NAME, path.relative, size, limits.outputBytes);
    return { output: { content, size_bytes: size }, summary: `read ${path.relative} (${size} bytes)` };
  },
};
