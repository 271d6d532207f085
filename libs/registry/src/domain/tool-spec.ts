import type { JsonObject } from '@cleveragents/kernel';
import type { CommonSpec } from './common-spec.js';
import type { ValidationMode } from './project-spec.js';

export type ToolSource = 'builtin' | 'custom' | 'mcp' | 'agent_skill' | 'command';

export type ToolImplementation =
  | { readonly kind: 'builtin'; readonly ref: string }
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly stdin_json?: boolean };

export interface ToolSpec extends CommonSpec {
  readonly description: string;
  readonly source: ToolSource;
  readonly input_schema: JsonObject;
  readonly output_schema?: JsonObject;
  readonly writes: boolean;
  readonly read_only: boolean;
  readonly checkpointable: boolean;
  readonly unsafe: boolean;
  readonly network: boolean;
  readonly installs: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly implementation: ToolImplementation;
}

export interface ValidationAttachment {
  readonly attachment_id: string;
  /** Exactly one of the two, canonical. */
  readonly resource?: string;
  readonly project?: string;
  readonly mode?: ValidationMode;
  readonly args?: JsonObject;
}

/** A read-only tool that answers whether something passed. */
export interface ValidationSpec extends CommonSpec {
  readonly description: string;
  readonly source: ToolSource;
  readonly mode: ValidationMode;
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
  readonly read_only: true;
  readonly writes: false;
  readonly checkpointable: false;
  readonly network: boolean;
  /** Seconds. */
  readonly timeout: number;
  /** Absent if and only if it wraps a tool. */
  readonly implementation?: ToolImplementation;
  readonly wraps?: string;
  /** How the wrapped tool's output becomes `{passed, message?, data?}`. */
  readonly transform?: JsonObject;
  readonly args: JsonObject;
  readonly attachments: readonly ValidationAttachment[];
}
