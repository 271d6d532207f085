export { BRANCH_NAME } from './branch-name.js';
export {
  keptRange,
  liveRange,
  type Artifact,
  type ChangedFile,
  type ChangeRange,
  type ChangeSet,
  type ChangeStatus,
  type DiffHunk,
  type DiffOptions,
  type FileContent,
  type FilePatch,
} from './change-set.js';
export { GitWorkspace } from './git-workspace.js';
export {
  MergeConflictError,
  type MergeConflict,
  type MergeRequest,
  type MergeResult,
  type RevertRequest,
} from './merge.js';
export { compileGlob } from './path-glob.js';
export {
  ProcessStartError,
  runProcess,
  type EndReason,
  type ProcessOutcome,
  type ProcessRequest,
} from './process-runner.js';
export { type RepositoryInfo } from './repository-info.js';
export {
  type CheckpointRequest,
  type CommitAuthor,
  type OpenSandboxRequest,
  type RevertedPath,
  type Sandbox,
  type SandboxStrategy,
} from './sandbox.js';
export { normalisePath, resolveEntryInSandbox, resolveInSandbox, type SandboxPath } from './sandbox-path.js';
export { WorkspaceModule } from './workspace.module.js';
