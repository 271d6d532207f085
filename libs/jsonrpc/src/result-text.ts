import type { JsonValue } from '@cleveragents/kernel';
import type { DialectCodec, Operation } from '@cleveragents/protocol';
import { RawJson } from './raw-json.js';

/** The result of a method as JSON text in the caller's dialect. Text that already has that form is not touched. */
export function resultText(result: object | RawJson, codec: DialectCodec, operation: Operation | undefined): string {
  const isTranslated = operation !== undefined && !codec.isIdentity;
  if (result instanceof RawJson) {
    return isTranslated ? JSON.stringify(codec.encode(operation, JSON.parse(result.text) as JsonValue)) : result.text;
  }
  // A handler that has nothing to say answers undefined or null.
  const value = (result ?? null) as JsonValue;
  return JSON.stringify(isTranslated ? codec.encode(operation, value) : value);
}

/** Adds a remark to a result that is an object; any other result stays as it is. */
export function withWarning(text: string, warning: string): string {
  const result = JSON.parse(text) as JsonValue;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return text;
  const warnings = Array.isArray(result.warnings) ? result.warnings : [];
  return JSON.stringify({ ...result, warnings: [...warnings, warning] });
}
