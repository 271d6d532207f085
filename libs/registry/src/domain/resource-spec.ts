import type { CommonSpec } from './common-spec.js';

export interface ResourceSpec extends CommonSpec {
  /** Canonical resource type, such as `git-checkout`. */
  readonly type: string;
  /** By the type's arguments; `path` (and `branch` of a git-checkout) for the built-in types. */
  readonly properties: { readonly path: string; readonly branch?: string };
  readonly read_only: boolean;
  readonly parent?: string;
}

export interface ResourceTypeArgument {
  readonly name: string;
  readonly type: 'string' | 'path' | 'integer' | 'boolean' | 'url';
  readonly required: boolean;
  readonly description?: string;
}

export interface ResourceTypeSpec extends CommonSpec {
  readonly physical_virtual: 'physical' | 'virtual';
  readonly user_addable: boolean;
  readonly cli_arguments: readonly ResourceTypeArgument[];
  readonly child_types: readonly { readonly type: string; readonly auto_discover: boolean }[];
  readonly sandbox: {
    readonly strategy: 'git_worktree' | 'filesystem_copy' | 'transaction_rollback' | 'none';
    readonly checkpointable: boolean;
    readonly handler: 'git' | 'filesystem' | 'none';
  };
  readonly capabilities: {
    readonly read: boolean;
    readonly write: boolean;
    readonly sandbox: boolean;
    readonly checkpoint: boolean;
  };
}
