import type { JsonObject } from '@cleveragents/kernel';
import type { CommonSpec } from './common-spec.js';

export type ValidationMode = 'required' | 'informational';

/** A validation that runs for every plan of the project; what is absent is the validation's own. */
export interface ProjectValidation {
  readonly name: string;
  readonly mode?: ValidationMode;
  readonly args?: JsonObject;
}

export interface ProjectSpec extends CommonSpec {
  /** Canonical names. A project without resources exists but cannot be planned on. */
  readonly resources: readonly string[];
  readonly automation_profile?: string;
  readonly invariants: readonly string[];
  readonly validations: readonly ProjectValidation[];
  readonly context_policy?: JsonObject;
  readonly defaults: { readonly strategy_actor?: string; readonly execution_actor?: string };
  readonly config_globs: readonly string[];
}
