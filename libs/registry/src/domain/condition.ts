import type { JsonValue } from '@cleveragents/kernel';

/** A question to the repository or to known values, answered without running any code. */
export type Condition =
  | { readonly exists: string }
  | { readonly equals: readonly [JsonValue, JsonValue] }
  | { readonly matches: { readonly value: string; readonly pattern: string } }
  | { readonly not: Condition }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };
