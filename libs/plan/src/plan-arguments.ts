import { ValidationError, type FieldProblem, type JsonObject } from '@cleveragents/kernel';
import { argumentProblem, type ActionArgument } from '@cleveragents/registry';

/**
 * The arguments of a plan: declared ones only, defaults filled in, nothing converted — `"85"` is no integer, because
 * a caller that meant something else would never learn of it. All problems are named at once.
 */
export function resolveArguments(
  declared: readonly ActionArgument[],
  given: JsonObject,
  path = 'arguments',
): JsonObject {
  const problems = unknownArguments(declared, given, path);
  const resolved: JsonObject = {};
  for (const argument of declared) {
    const value = given[argument.name] ?? argument.default;
    const missing = argument.required ? 'is required' : null;
    const problem = value === undefined ? missing : argumentProblem(argument, value);
    if (problem !== null) problems.push({ path: `${path}.${argument.name}`, message: problem });
    if (value !== undefined) resolved[argument.name] = value;
  }
  if (problems.length > 0) throw new ValidationError(problems);
  return resolved;
}

const MASK = '***';

/** The arguments as they may be shown and audited. */
export function maskSecrets(declared: readonly ActionArgument[], values: JsonObject): JsonObject {
  const secrets = new Set(declared.filter((argument) => argument.secret).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, secrets.has(name) ? MASK : value]));
}

function unknownArguments(declared: readonly ActionArgument[], given: JsonObject, path: string): FieldProblem[] {
  const known = new Set(declared.map(({ name }) => name));
  return Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: `${path}.${name}`, message: 'is not an argument of this action' }));
}
