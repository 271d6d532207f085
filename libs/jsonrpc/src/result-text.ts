import type { JsonValue } from '@cleveragents/kernel';
import type { AnswerForm } from './answer-form.js';
import { RawJson } from './raw-json.js';

/** The result of a method as JSON text in the caller's dialect. Text that already has that form is not touched. */
export function resultText(result: object | RawJson, form: AnswerForm): string {
  const codec = form.codec(result instanceof RawJson ? result.bornIn : undefined);
  const { operation } = form;
  if (operation === undefined || codec.isIdentity) return result instanceof RawJson ? result.text : textOf(result);
  const value = result instanceof RawJson ? (JSON.parse(result.text) as JsonValue) : (result as JsonValue);
  return textOf(codec.encode(operation, value, form.wireTaskId(codec)));
}

/** A handler that has nothing to say answers undefined or null. */
function textOf(value: object | JsonValue | undefined): string {
  return JSON.stringify(value ?? null);
}

/** Adds a remark to a result that is an object; any other result stays as it is. */
export function withWarning(text: string, warning: string): string {
  const result = JSON.parse(text) as JsonValue;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return text;
  const warnings = Array.isArray(result.warnings) ? result.warnings : [];
  return JSON.stringify({ ...result, warnings: [...warnings, warning] });
}
