import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import type { CommonSpec } from './common-spec.js';

export const ARGUMENT_TYPES = ['string', 'integer', 'number', 'boolean', 'enum', 'array'] as const;
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

export interface ActionArgument {
  readonly name: string;
  readonly type: ArgumentType;
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly description?: string;
  /** The values of an `enum`. */
  readonly enum?: readonly JsonValue[];
  /** Bounds of text: a pattern of a string or of every element of an array. */
  readonly pattern?: string;
  /** Least and greatest value of a number, length of a string or an array. */
  readonly min?: number;
  readonly max?: number;
  /** Its value is masked wherever it would be shown. */
  readonly secret: boolean;
}

export type ActionState = 'available' | 'archived' | 'draft';

export interface ActionSpec extends CommonSpec {
  readonly description: string;
  readonly long_description?: string;
  readonly definition_of_done: string;
  readonly strategy_actor: string;
  readonly execution_actor: string;
  readonly estimation_actor?: string;
  readonly review_actor?: string;
  readonly apply_actor?: string;
  readonly invariant_actor?: string;
  readonly arguments: readonly ActionArgument[];
  readonly reusable: boolean;
  readonly read_only: boolean;
  readonly state: ActionState;
  readonly automation_profile?: string;
  readonly safety_profile?: JsonObject;
  readonly invariants: readonly string[];
}
