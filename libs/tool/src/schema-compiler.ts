import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { ValidationError, type JsonObject } from '@cleveragents/kernel';
import type { ToolSpec } from './tool-spec.js';

/** JSON Schema 2020-12, every problem reported. Schemas come from tool authors of this server, not from callers. */
export class SchemaCompiler {
  private readonly ajv = new Ajv2020({ allErrors: true, strict: true });

  /** A function that gives back valid inputs of this tool, typed, and throws a ValidationError that names every problem otherwise. */
  inputReader<Inputs>({ definition }: ToolSpec<Inputs>): (value: JsonObject) => Inputs {
    const validate: ValidateFunction<Inputs> = this.ajv.compile<Inputs>(definition.inputSchema);
    return (value) => {
      const candidate: unknown = value;
      if (validate(candidate)) return candidate;
      throw new ValidationError((validate.errors ?? []).map((error) => toProblem(error)));
    };
  }

  /** A function that says in one line what is wrong; null when nothing is. */
  problemFinder(schema: JsonObject): (value: JsonObject) => string | null {
    const validate = this.ajv.compile(schema);
    return (value) => (validate(value) ? null : this.ajv.errorsText(validate.errors));
  }
}

function toProblem(error: ErrorObject): { path: string; message: string } {
  const segments = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required') segments.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') segments.push(String(error.params['additionalProperty']));
  return { path: ['inputs', ...segments].join('.'), message: messageOf(error) };
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') return 'is not known';
  return error.message ?? 'is invalid';
}
