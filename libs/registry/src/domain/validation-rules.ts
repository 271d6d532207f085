import { type FieldProblem, isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { ValidationSpec } from './tool-spec.js';
import { repeatProblems } from './unique.js';

export const COMMAND_TIMEOUT_S = 300;

export const PASSED_SCHEMA: JsonObject = {
  type: 'object',
  properties: { passed: { type: 'boolean' }, message: { type: 'string' }, data: {} },
  required: ['passed'],
};

/** A validation does one thing, says whether it passed, and is attached to one target at a time. */
export function validationProblems(spec: ValidationSpec): FieldProblem[] {
  return [
    ...workProblems(spec),
    ...argvProblems(spec),
    ...(hasPassed(spec.output_schema) ? [] : [{ path: 'output_schema', message: 'must have a boolean "passed"' }]),
    ...attachmentProblems(spec),
  ];
}

function workProblems({ implementation, wraps, transform }: ValidationSpec): FieldProblem[] {
  if ((implementation === undefined) === (wraps === undefined)) {
    return [{ path: 'implementation', message: 'must be given unless the validation wraps a tool, and not with it' }];
  }
  if ((wraps === undefined) !== (transform === undefined)) {
    return [{ path: 'transform', message: 'must be given if and only if the validation wraps a tool' }];
  }
  return [];
}

/** Control characters that have no place in an argument; line ends and tabs are those of a script. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

function argvProblems({ implementation }: ValidationSpec): FieldProblem[] {
  const argv = implementation?.kind === 'command' ? implementation.argv : [];
  return argv.flatMap((argument, index) =>
    CONTROL.test(argument)
      ? [{ path: `implementation.argv.${index}`, message: 'must not contain control characters' }]
      : [],
  );
}

function hasPassed(schema: JsonValue): boolean {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  const passed = isJsonObject(properties) ? properties['passed'] : undefined;
  return isJsonObject(passed) && passed['type'] === 'boolean';
}

function attachmentProblems({ attachments }: ValidationSpec): FieldProblem[] {
  const targets = attachments.map(({ project, resource }) => `${project ?? ''} ${resource ?? ''}`);
  return [
    ...attachments.flatMap(({ project, resource }, index) =>
      (project === undefined) === (resource === undefined)
        ? [{ path: `attachments.${index}`, message: 'must name either a project or a resource' }]
        : [],
    ),
    ...repeatProblems(targets, (index) => `attachments.${index}`),
  ];
}
