import { type FieldProblem, isJsonObject, isWellFormed, type JsonValue } from '@cleveragents/kernel';
import { inlineSecretProblems } from './inline-secret.js';

const MAX_LABELS = 32;
const LABEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/;
const MAX_LABEL_TEXT = 256;
const MAX_DEPTH = 64;

/** What no document may hold, whatever its kind. */
export function documentProblems(document: JsonValue): FieldProblem[] {
  const hostile = hostileProblems(document, []);
  if (hostile.length > 0) return hostile;
  const labels = isJsonObject(document) ? labelProblems(document['labels']) : [];
  return [...inlineSecretProblems(document), ...labels];
}

/**
 * A key that would reach an object's prototype, a number that JSON lacks, a text that no database or command line takes,
 * or nesting that would exhaust a stack. YAML can say all of them.
 */
function hostileProblems(value: JsonValue | undefined, at: readonly string[]): FieldProblem[] {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return [{ path: at.join('.'), message: 'is a number that JSON does not have' }];
  }
  if (typeof value === 'string' && !isStorable(value)) {
    return [{ path: at.join('.'), message: 'must be well-formed Unicode without U+0000' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (at.length === MAX_DEPTH) {
    return [{ path: at.slice(0, 3).join('.'), message: `is nested more than ${MAX_DEPTH} deep` }];
  }
  return Object.entries(value).flatMap(([key, member]) =>
    key === '__proto__' || !isStorable(key)
      ? [{ path: [...at, key].join('.'), message: 'is no allowed key' }]
      : hostileProblems(member, [...at, key]),
  );
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && isWellFormed(text);
}

function labelProblems(labels: JsonValue | undefined): FieldProblem[] {
  if (!isJsonObject(labels)) return [];
  const entries = Object.entries(labels);
  if (entries.length > MAX_LABELS) return [{ path: 'labels', message: `must be at most ${MAX_LABELS}` }];
  return entries.flatMap(([name, text]) => {
    if (!LABEL_NAME.test(name)) return [{ path: 'labels', message: `has the bad name "${name}"` }];
    const isText = typeof text === 'string' && text.length <= MAX_LABEL_TEXT;
    return isText ? [] : [{ path: `labels.${name}`, message: `must be text of at most ${MAX_LABEL_TEXT} characters` }];
  });
}
