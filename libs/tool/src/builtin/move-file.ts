import { rename } from 'node:fs/promises';
import { resolveEntryInSandbox } from '@cleveragents/workspace';
import type { ToolSpec } from '../tool-spec.js';
import { ToolFailure } from '../tool-failure.js';
import { changeGates, ensureParent, entryKind, fileMissing } from './file-access.js';
import { objectSchema, PATH_SCHEMA, TEXT_SCHEMA, WRITES } from './schemas.js';

const NAME = 'builtin/move_file';

export const moveFileTool: ToolSpec<{ from: string; to: string }> = {
  definition: {
    name: NAME,
    description: 'Moves or renames a file or a link; nothing may stand at the new path',
    inputSchema: objectSchema({ from: PATH_SCHEMA, to: PATH_SCHEMA }),
    outputSchema: objectSchema({ from: TEXT_SCHEMA, to: TEXT_SCHEMA }),
    capabilities: WRITES,
  },

  /** No content is lost, so a move is a change of the old path and a new file at the other. */
  async gates(inputs, context) {
    const from = await resolveEntryInSandbox(context.root, inputs.from, 'from');
    const to = await resolveEntryInSandbox(context.root, inputs.to, 'to');
    return [...(await changeGates(from, context)), ...(await changeGates(to, context))];
  },

  async run(inputs, { root }) {
    const from = await resolveEntryInSandbox(root, inputs.from, 'from');
    const to = await resolveEntryInSandbox(root, inputs.to, 'to');
    const kind = await entryKind(from);
    if (kind === null) throw fileMissing(NAME, from.relative);
    if (kind === 'directory') throw new ToolFailure(NAME, `${from.relative} is a directory`, { path: from.relative });
    if ((await entryKind(to)) !== null) {
      const details = { path: to.relative };
      throw new ToolFailure(NAME, `${to.relative} exists already`, details, { reason: 'TARGET_EXISTS' });
    }
    await ensureParent(to);
    await rename(from.absolute, to.absolute);
    return {
      output: { from: from.relative, to: to.relative },
      changedPaths: [from.relative, to.relative],
      summary: `moved ${from.relative} to ${to.relative}`,
    };
  },
};
