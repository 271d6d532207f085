import type { JsonObject } from '@cleveragents/kernel';

/** What a call does to the world, in the words of automation profiles: each kind has its own threshold. */
export type ChangeGate =
  | 'create_file'
  | 'edit_code'
  | 'modify_config'
  | 'delete_content'
  | 'execute_command'
  | 'access_network'
  | 'install_dependency';

export interface ToolCapabilities {
  readonly isReadOnly: boolean;
  readonly writes: boolean;
  readonly network: boolean;
  readonly installs: boolean;
  readonly isUnsafe: boolean;
  readonly isIdempotent: boolean;
}

export interface ToolDefinition {
  /** `namespace/verb_noun`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly capabilities: ToolCapabilities;
}

export interface ToolLimits {
  /** Of one call. */
  readonly timeoutMs: number;
  /** Bytes of text that one call may return. */
  readonly outputBytes: number;
  /** Bytes of one file that a call may read or write. */
  readonly fileBytes: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = {
  timeoutMs: 300_000,
  outputBytes: 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
};

/** Where and under which bounds a call runs. */
export interface ToolContext {
  /** Root of the sandbox; no call reaches outside. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Default: DEFAULT_TOOL_LIMITS. */
  readonly limits?: Partial<ToolLimits>;
  /** Argument-vector prefixes that commands may start with. */
  readonly commandAllow: readonly (readonly string[])[];
  /** Tools that write are refused. */
  readonly isReadOnly?: boolean;
}

/** What `gatesOf` needs to know of the place. */
export interface GateContext {
  readonly root: string;
  /** Paths whose change counts as a change of configuration. */
  readonly configGlobs?: readonly string[];
}

export interface ToolResult {
  readonly output: JsonObject;
  /** Relative to the root, sorted, without repeats. Empty for commands: what they change only the sandbox can tell. */
  readonly changedPaths: readonly string[];
  /** One line for people. */
  readonly summary: string;
  readonly durationMs: number;
}
