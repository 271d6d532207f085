import { writeFile } from 'node:fs/promises';
import { resolveInSandbox } from '@cleveragents/workspace';
import type { ToolSpec } from '../tool-spec.js';
import { ToolFailure } from '../tool-failure.js';
import { changeGates, checkSize, readText } from './file-access.js';
import { objectSchema, PATH_SCHEMA, TEXT_SCHEMA, WRITES } from './schemas.js';

const NAME = 'builtin/edit_file';

export const editFileTool: ToolSpec<{ path: string; find: string; replace: string }> = {
  definition: {
    name: NAME,
    description: 'Replaces one passage of a text file; the passage must occur exactly once',
    inputSchema: objectSchema({ path: PATH_SCHEMA, find: { type: 'string', minLength: 1 }, replace: TEXT_SCHEMA }),
    outputSchema: objectSchema({ path: TEXT_SCHEMA, line: { type: 'integer' } }),
    capabilities: WRITES,
  },

  async gates(inputs, context) {
    return changeGates(await resolveInSandbox(context.root, inputs.path), context);
  },

  async run({ path: name, find, replace }, { root, limits }) {
    const path = await resolveInSandbox(root, name);
    const text = await readText(NAME, path, limits);
    const [before = '', after, ...more] = text.split(find);
    if (after === undefined || more.length > 0) throw notOnce(path.relative, after === undefined ? 0 : more.length + 1);
    const edited = before + replace + after;
    checkSize(NAME, path.relative, Buffer.byteLength(edited), limits.fileBytes);
    await writeFile(path.absolute, edited);
    const line = before.split('\n').length;
    return {
      output: { path: path.relative, line },
      changedPaths: edited === text ? [] : [path.relative],
      summary: `changed ${path.relative} at line ${line}`,
    };
  },
};

function notOnce(path: string, occurrences: number): ToolFailure {
  const count = occurrences === 0 ? 'does not occur' : `occurs ${occurrences} times`;
  return new ToolFailure(
    NAME,
    `The passage to replace ${count} in ${path}; it must occur exactly once`,
    { path, occurrences },
    { reason: occurrences === 0 ? 'FIND_NOT_FOUND' : 'FIND_NOT_UNIQUE' },
  );
}
