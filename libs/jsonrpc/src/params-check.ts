import type { Type } from '@nestjs/common';
import { ValidationError, isJsonObject, type FieldProblem, type JsonObject } from '@cleveragents/kernel';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { schemaOf } from './schema-of.js';
import { storableTextProblem } from './storable-text.js';

/** Checks the params of one method and answers them ready for the handler, or throws ValidationError. */
export type ParamsCheck = (params: JsonObject) => object;

const MAX_PROBLEMS = 50;

/** Naming every problem of a huge value would cost far more memory than the value: those get the first one only. */
const MAX_MEMBERS_FOR_ALL_PROBLEMS = 5000;

const OPTIONS = { strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true } as const;

/** Compiles the checks of all methods once, at boot. */
export class ParamsChecks {
  private readonly firstProblem = validator(false);
  private readonly allProblems = validator(true);

  compile(dto: Type<object>, isClosed: boolean): ParamsCheck {
    const schema = schemaOf(dto, isClosed);
    const isValid = this.firstProblem.compile(schema);
    const defaults: JsonObject = { ...new dto() };
    const hasDefaults = Object.keys(defaults).length > 0;
    let explain: ValidateFunction | undefined;
    return (params) => {
      if (!isValid(params)) {
        if (countMembers(params, MAX_MEMBERS_FOR_ALL_PROBLEMS) === 0) throw invalid(isValid.errors);
        explain ??= this.allProblems.compile(schema);
        explain(params);
        throw invalid(explain.errors);
      }
      const problem = isClosed ? storableTextProblem(params) : null;
      if (problem !== null) throw new ValidationError([problem]);
      return hasDefaults ? { ...defaults, ...params } : params;
    };
  }
}

/** The `params` member of a request as an object; a method without params may leave it out. */
export function paramsObject(params: unknown): JsonObject {
  if (params === undefined || params === null) return {};
  if (!isJsonObject(params)) throw ValidationError.of('params', 'must be an object');
  // Unknown names are left to the method, but this is no name.
  if (Object.hasOwn(params, '')) throw ValidationError.of('params', 'must not have a member without a name');
  return params;
}

function validator(allErrors: boolean): Ajv {
  const ajv = new Ajv({ ...OPTIONS, allErrors });
  addFormats.default(ajv);
  // OpenAPI's spelling of `examples`.
  ajv.addVocabulary(['example']);
  return ajv;
}

function invalid(errors: ValidateFunction['errors']): ValidationError {
  return new ValidationError((errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf));
}

function problemOf(error: ErrorObject): FieldProblem {
  const at = error.instancePath.split('/').slice(1).map(unescapePointer);
  const { missingProperty, additionalProperty, allowedValues } = error.params as Record<string, unknown>;
  if (typeof missingProperty === 'string') return { path: dotted([...at, missingProperty]), message: 'is required' };
  if (typeof additionalProperty === 'string') {
    return { path: dotted([...at, additionalProperty]), message: 'is not a known parameter' };
  }
  const path = dotted(at);
  if (Array.isArray(allowedValues)) return { path, message: `must be one of ${allowedValues.join(', ')}` };
  return { path, message: error.message ?? 'is not valid' };
}

function dotted(path: readonly string[]): string {
  return path.length === 0 ? 'params' : path.join('.');
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** What is left of `budget` after every member at any depth has taken one. */
function countMembers(value: unknown, budget: number): number {
  if (typeof value !== 'object' || value === null) return budget;
  let left = budget;
  for (const member of Object.values(value)) {
    if (left <= 0) return 0;
    left = countMembers(member, left - 1);
  }
  return left;
}
