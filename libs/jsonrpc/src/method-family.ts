/**
 * Whose error numbers a method answers with: `standard` = the operations of A2A under any name, `platform` =
 * `_cleveragents/*` and the deprecated names, which follow the taxonomy of the product's reference.
 */
export type MethodFamily = 'standard' | 'platform';

const PLATFORM_PREFIX = '_cleveragents/';

/** Family of a name that is not registered. */
export function familyOfUnknown(method: string): MethodFamily {
  return method.startsWith(PLATFORM_PREFIX) ? 'platform' : 'standard';
}

/** An alias that the protocol's predecessor used: those have dots, and no other alias has. */
export function isDeprecatedName(alias: string): boolean {
  return alias.includes('.');
}
