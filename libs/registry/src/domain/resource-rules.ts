import { type FieldProblem, isJsonObject, type JsonValue } from '@cleveragents/kernel';
import type { ResourceTypeArgument } from './resource-spec.js';

const MAX_TEXT = 4096;

/** Properties are what the resource type declares, no less and no more. */
export function propertyProblems(
  properties: unknown,
  type: string,
  declared: readonly ResourceTypeArgument[],
): FieldProblem[] {
  if (!isJsonObject(properties)) return [{ path: 'properties', message: 'must be an object' }];
  const known = new Set(declared.map(({ name }) => name));
  const unknown = Object.keys(properties)
    .filter((key) => !known.has(key))
    .map((key) => ({ path: `properties.${key}`, message: `is not a property of ${type}` }));
  return [...declared.flatMap((argument) => valueProblem(argument, properties[argument.name])), ...unknown];
}

function valueProblem({ name, type, required }: ResourceTypeArgument, value: JsonValue | undefined): FieldProblem[] {
  const path = `properties.${name}`;
  if (value === undefined) return required ? [{ path, message: 'is required' }] : [];
  if (type === 'boolean') return typeof value === 'boolean' ? [] : [{ path, message: 'must be a boolean' }];
  if (type === 'integer') return Number.isSafeInteger(value) ? [] : [{ path, message: 'must be an integer' }];
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
  return isText ? [] : [{ path, message: `must be text of 1 to ${MAX_TEXT} characters` }];
}
