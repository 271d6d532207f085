import { Ajv, type SchemaObject, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';

export const TEXT = { type: 'string' } as const;
export const ID = { type: 'string', minLength: 1 } as const;
export const TEXTS = { type: 'array', items: TEXT } as const;
export const FLAG = { type: 'boolean' } as const;
export const ANY_OBJECT = { type: 'object' } as const;
export const TIMESTAMP = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' } as const;

/** An object with these members and no others; those of `required` must be there. */
export function object(required: Record<string, object>, optional: Record<string, object> = {}): SchemaObject {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

export function list(items: object): SchemaObject {
  return { type: 'array', items, minItems: 1 };
}

const ajv = new Ajv({ strict: true, allErrors: false });

export type Check = (json: unknown) => void;

/** Says what is wrong. */
export function checker(schema: SchemaObject): Check {
  const check: ValidateFunction = ajv.compile(schema);
  return (json) => {
    check(json);
    expect(check.errors ?? [], JSON.stringify(json)).toEqual([]);
  };
}
