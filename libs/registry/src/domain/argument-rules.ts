import type { FieldProblem, JsonValue } from '@cleveragents/kernel';
import type { ActionArgument } from './action-spec.js';
import { patternProblem } from './pattern.js';
import { repeatProblems } from './unique.js';

const MAX_MATCHED_LENGTH = 10_000;

/** What is wrong with the declarations themselves. */
export function declarationProblems(declared: readonly ActionArgument[]): FieldProblem[] {
  return [
    ...repeatProblems(
      declared.map((argument) => argument.name),
      (index) => `arguments.${index}.name`,
    ),
    ...declared.flatMap((argument, index) => oneDeclaration(argument, `arguments.${index}`)),
  ];
}

function oneDeclaration(argument: ActionArgument, path: string): FieldProblem[] {
  const { type, min, max, secret } = argument;
  const pattern = argument.pattern === undefined ? null : patternProblem(argument.pattern);
  const fallback = argument.default === undefined ? null : argumentProblem(argument, argument.default);
  const wrong: [boolean, string, string][] = [
    [
      (type === 'enum') !== (argument.enum !== undefined),
      'enum',
      'belongs to an argument of type enum, which needs it',
    ],
    [min !== undefined && max !== undefined && min > max, 'min', 'must not be above max'],
    [secret && argument.default !== undefined, 'default', 'must not be given for a secret'],
    [pattern !== null, 'pattern', pattern ?? ''],
    [pattern === null && fallback !== null, 'default', fallback ?? ''],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, key, message]) => ({ path: `${path}.${key}`, message }));
}

/** Why a value is not one that the argument takes, or null. Nothing is converted: "85" is no integer. */
export function argumentProblem(argument: ActionArgument, value: JsonValue): string | null {
  switch (argument.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be a boolean';
    case 'integer':
      return Number.isSafeInteger(value) ? rangeProblem(argument, value as number, '') : 'must be an integer';
    case 'number':
      return typeof value === 'number' ? rangeProblem(argument, value, '') : 'must be a number';
    case 'enum':
      return (argument.enum ?? []).includes(value) ? null : `must be one of ${JSON.stringify(argument.enum ?? [])}`;
    case 'string':
      return typeof value === 'string' ? textProblem(argument, value) : 'must be text';
    case 'array':
      return Array.isArray(value) ? listProblem(argument, value) : 'must be a list';
  }
}

function rangeProblem({ min, max }: ActionArgument, size: number, unit: string): string | null {
  if (min !== undefined && size < min) return `must be at least ${min}${unit}`;
  if (max !== undefined && size > max) return `must be at most ${max}${unit}`;
  return null;
}

function textProblem(argument: ActionArgument, text: string): string | null {
  return rangeProblem(argument, text.length, ' characters long') ?? matchProblem(argument, text);
}

function listProblem(argument: ActionArgument, list: readonly JsonValue[]): string | null {
  const size = rangeProblem(argument, list.length, ' elements long');
  if (size !== null || argument.pattern === undefined) return size;
  const problems = list.map((item) =>
    typeof item === 'string' ? matchProblem(argument, item) : 'must hold only text',
  );
  return problems.find((problem) => problem !== null) ?? null;
}

function matchProblem({ pattern }: ActionArgument, text: string): string | null {
  if (pattern === undefined) return null;
  if (text.length > MAX_MATCHED_LENGTH) return `must be at most ${MAX_MATCHED_LENGTH} characters long`;
  return new RegExp(pattern, 'u').test(text) ? null : `must match ${pattern}`;
}
