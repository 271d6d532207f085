import { ValidationError, type JsonObject } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { describe, expect, it } from 'vitest';
import { ParamsChecks, paramsObject } from './params-check.js';

class Budget {
  @IsInt() @Min(1) @Max(10) max_tokens: number;
}

class Part {
  @IsOptional() @IsString() text?: string;
  @IsOptional() @ValidateNested() @Type(() => Part) inner?: Part;
}

class UseParams {
  @IsString() action_name: string;
  @IsOptional() @IsIn(['fast', 'slow']) speed?: string;
  @IsOptional() @ValidateNested() budget?: Budget;
  @IsOptional() @IsArray() @ArrayNotEmpty() @ValidateNested({ each: true }) @Type(() => Part) parts?: Part[];
  @IsOptional() @IsInt() page_size? = 50;
}

const checks = new ParamsChecks();
const closed = checks.compile(UseParams, true);
const open = checks.compile(UseParams, false);

function problemsOf(params: JsonObject, check = closed) {
  try {
    check(params);
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    throw error;
  }
  return [];
}

describe('ParamsChecks', () => {
  it('accepts what the decorators describe and fills in defaults', () => {
    expect(closed({ action_name: 'x', budget: { max_tokens: 3 } })).toEqual({
      page_size: 50,
      action_name: 'x',
      budget: { max_tokens: 3 },
    });
  });

  it('names every problem with a dotted path', () => {
    expect(problemsOf({ speed: 'warp', budget: { max_tokens: 11 }, parts: [{ text: 'a' }, { text: 5 }] })).toEqual(
      expect.arrayContaining([
        { path: 'action_name', message: 'is required' },
        { path: 'speed', message: 'must be one of fast, slow' },
        { path: 'budget.max_tokens', message: 'must be <= 10' },
        { path: 'parts.1.text', message: 'must be string' },
      ]),
    );
  });

  it('refuses unknown members at any depth where the method is closed, and only there', () => {
    const params = { action_name: 'x', extra: 1, parts: [{ inner: { nope: true } }] };
    expect(problemsOf(params)).toEqual([
      { path: 'extra', message: 'is not a known parameter' },
      { path: 'parts.0.inner.nope', message: 'is not a known parameter' },
    ]);
    expect(problemsOf(params, open)).toEqual([]);
  });

  it('refuses a __proto__ member where the method is closed', () => {
    expect(problemsOf(JSON.parse('{"action_name":"x","__proto__":{"a":1}}') as JsonObject)).toHaveLength(1);
  });

  it('names one problem of a huge value instead of all', () => {
    const parts = Array.from({ length: 20_000 }, () => ({ text: 1 }));
    expect(problemsOf({ action_name: 'x', parts })).toHaveLength(1);
  });

  it('does not compile a rule that JSON Schema would lose', () => {
    const IsEven = () => ValidateBy({ name: 'isEven', validator: { validate: () => true } });
    class Lost {
      @IsEven() n: number;
    }
    class Kept {
      @IsEven() @JSONSchema({ type: 'integer', multipleOf: 2 }) n: number;
    }
    class Flags {
      @Matches(/^a/i) name: string;
    }
    expect(() => checks.compile(Lost, true)).toThrow('Lost.n: @isEven needs a @JSONSchema');
    expect(() => checks.compile(Flags, true)).toThrow('flags');
    expect(problemsOf({ n: 3 }, checks.compile(Kept, true))).toEqual([{ path: 'n', message: 'must be multiple of 2' }]);
  });
});

describe('paramsObject', () => {
  it('takes absent params for none', () => {
    expect(paramsObject(undefined)).toEqual({});
    expect(paramsObject(null)).toEqual({});
  });

  it.each([[['x']], ['text'], [7], [true], [{ id: 'x', '': 1 }]])('refuses %j', (params) => {
    expect(() => paramsObject(params)).toThrow(ValidationError);
  });
});
