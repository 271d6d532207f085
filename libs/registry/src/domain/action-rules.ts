import type { FieldProblem } from '@cleveragents/kernel';
import type { ActionSpec } from './action-spec.js';
import { declarationProblems } from './argument-rules.js';
import { templateExpressions } from './template.js';

const TEMPLATED = ['description', 'long_description', 'definition_of_done'] as const;

export function actionProblems(spec: ActionSpec): FieldProblem[] {
  const declared = new Set(spec.arguments.flatMap(({ name }) => [name, `args.${name}`]));
  const undeclared = TEMPLATED.flatMap((path) =>
    templateExpressions(spec[path] ?? '')
      .filter((expression) => !declared.has(expression))
      .map((expression) => ({ path, message: `has the template {{${expression}}}, which is no declared argument` })),
  );
  return [...declarationProblems(spec.arguments), ...undeclared];
}
