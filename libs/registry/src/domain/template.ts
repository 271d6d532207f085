import type { FieldProblem, JsonValue } from '@cleveragents/kernel';
import { isJsonObject } from '@cleveragents/kernel';

/** A template looks one value up and computes nothing: `{{args.note}}`, `{{steps.build.output.exit_code}}`. */
const TEMPLATE = /\{\{([^{}]*)\}\}/g;
const LOOKUP =
  /^(?:args\.[A-Za-z_][\w-]*|project\.name|plan\.id|steps\.(?<step>[A-Za-z_][\w-]*)\.output(?:\.[\w-]+)+)$/;
const FORMS = 'args.<name>, project.name, plan.id or steps.<id>.output.<key>';

/** The expressions between `{{` and `}}`, in order and without surrounding blanks. */
export function templateExpressions(text: string): readonly string[] {
  return [...text.matchAll(TEMPLATE)].map((match) => (match[1] ?? '').trim());
}

/** Checks every template in every text of a value; `stepIds` are the steps that an output may be taken from. */
export function templateProblems(
  value: JsonValue | undefined,
  path: string,
  stepIds: ReadonlySet<string>,
): FieldProblem[] {
  if (typeof value === 'string') return expressionProblems(value, path, stepIds);
  if (Array.isArray(value)) return value.flatMap((item, index) => templateProblems(item, `${path}.${index}`, stepIds));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => templateProblems(member, `${path}.${key}`, stepIds));
}

function expressionProblems(text: string, path: string, stepIds: ReadonlySet<string>): FieldProblem[] {
  return templateExpressions(text).flatMap((expression) => {
    const match = LOOKUP.exec(expression);
    if (match === null) return [{ path, message: `has the template {{${expression}}}, which is not ${FORMS}` }];
    const step = match.groups?.['step'];
    if (step === undefined || stepIds.has(step)) return [];
    return [{ path, message: `has the template {{${expression}}} of a step that does not exist` }];
  });
}
