import { unlink } from 'node:fs/promises';
import { resolveEntryInSandbox } from '@cleveragents/workspace';
import type { ToolSpec } from '../tool-spec.js';
import { ToolFailure } from '../tool-failure.js';
import type { ChangeGate } from '../tool.js';
import { changeGates, entryKind, fileMissing } from './file-access.js';
import { objectSchema, PATH_SCHEMA, TEXT_SCHEMA, WRITES } from './schemas.js';

const NAME = 'builtin/delete_file';

export const deleteFileTool: ToolSpec<{ path: string }> = {
  definition: {
    name: NAME,
    description: 'Deletes a file or a link',
    inputSchema: objectSchema({ path: PATH_SCHEMA }),
    outputSchema: objectSchema({ path: TEXT_SCHEMA }),
    capabilities: WRITES,
  },

  async gates(inputs, context): Promise<ChangeGate[]> {
    const gates = await changeGates(await resolveEntryInSandbox(context.root, inputs.path), context);
    return ['delete_content', ...gates.filter((gate) => gate === 'modify_config')];
  },

  async run(inputs, { root }) {
    const path = await resolveEntryInSandbox(root, inputs.path);
    const kind = await entryKind(path);
    if (kind === null) throw fileMissing(NAME, path.relative);
    if (kind === 'directory') {
      throw new ToolFailure(NAME, `${path.relative} is a directory`, { path: path.relative });
    }
    await unlink(path.absolute);
    return {
      output: { path: path.relative },
      changedPaths: [path.relative],
      summary: `deleted ${path.relative}`,
    };
  },
};
