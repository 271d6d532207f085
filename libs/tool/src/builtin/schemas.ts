import type { JsonObject } from '@cleveragents/kernel';
import type { ToolCapabilities } from '../tool.js';

/** An object with exactly these properties. */
export function objectSchema(properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', additionalProperties: false, required, properties };
}

export const PATH_SCHEMA: JsonObject = {
  type: 'string',
  minLength: 1,
  description: 'Relative to the top of the sandbox, with / between names',
};

export const TEXT_SCHEMA: JsonObject = { type: 'string' };

export const READS: ToolCapabilities = {
  isReadOnly: true,
  writes: false,
  network: false,
  installs: false,
  isUnsafe: false,
  isIdempotent: true,
};

export const WRITES: ToolCapabilities = { ...READS, isReadOnly: false, writes: true, isIdempotent: false };
