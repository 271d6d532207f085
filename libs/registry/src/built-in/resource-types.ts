import type { ResourceTypeSpec } from '../domain/resource-spec.js';

const FULL = { read: true, write: true, sandbox: true, checkpoint: true };

export const BUILT_IN_RESOURCE_TYPES: ReadonlyMap<string, ResourceTypeSpec> = new Map([
  [
    'git-checkout',
    {
      description: 'A git repository on the server; plans work in a work tree of their own and are merged back.',
      physical_virtual: 'physical',
      user_addable: true,
      cli_arguments: [
        { name: 'path', type: 'path', required: true, description: 'Top directory of the repository.' },
        {
          name: 'branch',
          type: 'string',
          required: false,
          description: 'Branch that plans start from and are merged into; absent = the one checked out.',
        },
      ],
      child_types: [
        { type: 'git', auto_discover: true },
        { type: 'fs-directory', auto_discover: true },
      ],
      sandbox: { strategy: 'git_worktree', checkpointable: true, handler: 'git' },
      capabilities: FULL,
    },
  ],
  [
    'fs-directory',
    {
      description: 'A directory on the server; plans work on a copy that is copied back.',
      physical_virtual: 'physical',
      user_addable: true,
      cli_arguments: [{ name: 'path', type: 'path', required: true, description: 'The directory.' }],
      child_types: [],
      sandbox: { strategy: 'filesystem_copy', checkpointable: true, handler: 'filesystem' },
      capabilities: FULL,
    },
  ],
]);
