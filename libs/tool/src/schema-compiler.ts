import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { ValidationError, type JsonObject } from '@cleveragents/kernel';

/** JSON Schema 2020-12, every problem reported. Schemas come from tool authors of this server, not from callers. */
export class SchemaCompiler {
  private readonly ajv = new Ajv2020({ allErrors: true, strict: true });

  /** A function that gives back valid input, typed, and throws a ValidationError that names every problem otherwise. */
  compile<T>(schema: JsonObject, root: string): (value: JsonObject) => T {
    const validate: ValidateFunction<T> = this.ajv.compile<T>(schema);
    return (value) => {
      const candidate: unknown = value;
      if (validate(candidate)) return candidate;
      throw new ValidationError((validate.errors ?? []).map((error) => toProblem(error, root)));
    };
  }

  /** A function that says in one line what is wrong; null when nothing is. */
  problemFinder(schema: JsonObject): (value: JsonObject) => string | null {
    const validate = this.ajv.compile(schema);
    return (value) => (validate(value) ? null : this.ajv.errorsText(validate.errors));
  }
}

function toProblem(error: ErrorObject, root: string): { path: string; message: string } {
  const segments = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') segments.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') segments.push(String(error.params['additionalProperty']));
  return { path: [root, ...segments].join('.'), message: messageOf(error) };
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not known';
  return error.message ?? 'is invalid';
}
