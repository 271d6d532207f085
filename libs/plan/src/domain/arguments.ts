import { ValidationError, type FieldProblem, type JsonObject, type JsonValue } from '@cleveragents/kernel';

/** An argument as an action declares it. */
export interface ArgumentDeclaration {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'array';
  readonly required?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly pattern?: string;
  /** Least and greatest number; of a string or an array, length. */
  readonly min?: number;
  readonly max?: number;
  readonly secret?: boolean;
}

/**
 * The arguments of a plan: declared ones only, defaults filled in, nothing converted — `"85"` is no integer, because
 * a caller that meant something else would never learn of it. All problems are named at once.
 */
export function resolveArguments(declared: readonly ArgumentDeclaration[], given: JsonObject): JsonObject {
  const problems = unknownArguments(declared, given);
  const resolved: JsonObject = {};
  for (const declaration of declared) {
    const value = given[declaration.name] ?? declaration.default;
    const problem = value === undefined ? missing(declaration) : mismatch(declaration, value);
    if (problem !== null) problems.push({ path: `arguments.${declaration.name}`, message: problem });
    if (value !== undefined) resolved[declaration.name] = value;
  }
  if (problems.length > 0) throw new ValidationError(problems);
  return resolved;
}

const MASK = '***';

/** The arguments as they may be shown and audited. */
export function maskSecrets(declared: readonly ArgumentDeclaration[], values: JsonObject): JsonObject {
  const secrets = new Set(declared.filter((declaration) => declaration.secret).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, secrets.has(name) ? MASK : value]));
}

function unknownArguments(declared: readonly ArgumentDeclaration[], given: JsonObject): FieldProblem[] {
  const known = new Set(declared.map(({ name }) => name));
  return Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `arguments.${name}`, message: 'is not an argument of this action' }));
}

function missing(declaration: ArgumentDeclaration): string | null {
  return declaration.required === true ? 'is required' : null;
}

function mismatch(declaration: ArgumentDeclaration, value: JsonValue): string | null {
  switch (declaration.type) {
    case 'string':
      return typeof value === 'string' ? textProblem(declaration, value) : 'must be a string';
    case 'integer':
      return Number.isInteger(value) ? rangeProblem(declaration, Number(value), '') : 'must be an integer';
    case 'number':
      return typeof value === 'number' ? rangeProblem(declaration, value, '') : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'enum':
      return enumProblem(declaration, value);
    case 'array':
      return Array.isArray(value) ? rangeProblem(declaration, value.length, ' items') : 'must be an array';
  }
}

function textProblem(declaration: ArgumentDeclaration, value: string): string | null {
  if (declaration.pattern !== undefined && !new RegExp(declaration.pattern, 'u').test(value)) {
    return `must match ${declaration.pattern}`;
  }
  return rangeProblem(declaration, value.length, ' characters');
}

function rangeProblem({ min, max }: ArgumentDeclaration, size: number, unit: string): string | null {
  if (min !== undefined && size < min) return `must be at least ${min}${unit}`;
  if (max !== undefined && size > max) return `must be at most ${max}${unit}`;
  return null;
}

function enumProblem(declaration: ArgumentDeclaration, value: JsonValue): string | null {
  const choices = declaration.enum ?? [];
  return choices.includes(value)
    ? null
    : `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
}
