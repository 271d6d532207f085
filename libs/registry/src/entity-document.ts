import { type JsonObject, ValidationError } from '@cleveragents/kernel';
import { documentProblems } from './domain/document-rules.js';
import { readYamlDocument } from './yaml-document.js';

/** An entity as it came over the wire: its fields, a document of them, or both for different fields. */
export interface WrittenEntity {
  readonly config?: JsonObject;
  readonly config_yaml?: string;
  readonly idempotency_key?: string;
  readonly [field: string]: unknown;
}

/**
 * The one document that a caller wrote in several parts, free of what no document may hold: whoever reads it next may
 * walk it. A field that stands in two parts is refused.
 */
export function entityDocument({ config, config_yaml, idempotency_key: _, ...fields }: WrittenEntity): JsonObject {
  if (config !== undefined && config_yaml !== undefined) {
    throw ValidationError.of('config_yaml', 'must not be given together with config');
  }
  const loaded = config_yaml === undefined ? (config ?? {}) : readYamlDocument(config_yaml);
  const place = config_yaml === undefined ? 'config' : 'config_yaml';
  const twice = Object.keys(loaded).filter((key) => Object.hasOwn(fields, key));
  if (twice.length > 0) {
    throw new ValidationError(twice.map((key) => ({ path: `${place}.${key}`, message: 'is given beside it as well' })));
  }
  const document = { ...loaded, ...(fields as JsonObject) };
  const problems = documentProblems(document);
  if (problems.length > 0) throw new ValidationError(problems);
  return document;
}
