import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';

/** A JSON Schema (draft 7) that stands on its own. */
export type JsonSchema = { readonly [keyword: string]: unknown };

type ValidatorMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * The JSON Schema that the class-validator decorators of a DTO describe, nested DTOs included. `isClosed`: members
 * that no decorator names are refused. Throws for a decorator that has no counterpart in JSON Schema, because its rule
 * would be lost silently.
 */
export function schemaOf(dto: Type<object>, isClosed: boolean): JsonSchema {
  const definitions = new Map<Type<object>, { name: string; schema: JsonSchema }>();
  const root = refTo(dto, isClosed, definitions);
  const named = [...definitions.values()].map(({ name, schema }) => [name, schema]);
  return { ...root, definitions: Object.fromEntries(named) as JsonSchema };
}

export function hasValidators(dto: Type<object>): boolean {
  return validatorsOf(dto).length > 0;
}

type Definitions = Map<Type<object>, { name: string; schema: JsonSchema }>;

function refTo(dto: Type<object>, isClosed: boolean, definitions: Definitions): JsonSchema {
  const known = definitions.get(dto);
  if (known !== undefined) return { $ref: `#/definitions/${known.name}` };
  // Two classes of one name may meet in one schema; a definition needs a name of its own.
  const name = `${dto.name}${definitions.size === 0 ? '' : definitions.size}`;
  const entry = { name, schema: {} };
  definitions.set(dto, entry);
  entry.schema = ownSchema(dto, isClosed, definitions);
  return { $ref: `#/definitions/${name}` };
}

function ownSchema(dto: Type<object>, isClosed: boolean, definitions: Definitions): JsonSchema {
  const validators = validatorsOf(dto);
  for (const validator of validators) refuseLossy(dto, validator);
  const closing = isClosed ? { additionalProperties: false } : {};
  if (validators.length === 0) return { type: 'object', properties: {}, ...closing };
  const schema = targetConstructorToSchema(dto, {
    classTransformerMetadataStorage: defaultMetadataStorage,
    additionalConverters: {
      [ValidationTypes.NESTED_VALIDATION]: (meta) => refTo(nestedType(meta), isClosed, definitions),
      [ValidationTypes.CUSTOM_VALIDATION]: (meta) => unknownValidator(dto, meta),
    },
  });
  return { ...schema, ...closing };
}

function nestedType(meta: ValidatorMetadata): Type<object> {
  const target = meta.target as Type<object>;
  const declared = defaultMetadataStorage.findTypeMetadata(target, meta.propertyName);
  const type: unknown = declared?.typeFunction() ?? designType(target, meta.propertyName);
  if (typeof type !== 'function' || type === Array || type === Object) {
    throw new Error(`${target.name}.${meta.propertyName} has @ValidateNested but no @Type(() => Class)`);
  }
  return type as Type<object>;
}

function designType(target: Type<object>, property: string): unknown {
  return Reflect.getMetadata('design:type', target.prototype as object, property);
}

function validatorsOf(dto: Type<object>): ValidatorMetadata[] {
  return getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
}

/** Validators whose converter says less than they do. */
const LOSSY: ReadonlySet<string> = new Set(['isByteLength', 'isLowercase', 'isUppercase', 'isVariableWidth', 'isDate']);

function refuseLossy(dto: Type<object>, meta: ValidatorMetadata): void {
  const name = constraintName(meta);
  if (LOSSY.has(name)) throw unsupported(dto, meta, `@${name} has no JSON Schema counterpart`);
  const pattern: unknown = meta.constraints?.[0];
  if (name === 'matches' && pattern instanceof RegExp && pattern.flags.replace('u', '') !== '') {
    throw unsupported(dto, meta, 'JSON Schema patterns have no flags');
  }
}

/** A validator of our own counts if a @JSONSchema on the same member says what it demands. */
function unknownValidator(dto: Type<object>, meta: ValidatorMetadata): Record<string, never> {
  const keys = Reflect.getMetadataKeys(dto, meta.propertyName) as readonly (string | symbol)[];
  const isDescribed = keys.some((key) => String(key).includes('JSONSchema'));
  if (isDescribed) return {};
  throw unsupported(dto, meta, `@${constraintName(meta)} needs a @JSONSchema that says the same`);
}

function constraintName(meta: ValidatorMetadata): string {
  const [constraint] =
    meta.constraintCls === undefined ? [] : getMetadataStorage().getTargetValidatorConstraints(meta.constraintCls);
  return constraint?.name ?? meta.type;
}

function unsupported(dto: Type<object>, meta: ValidatorMetadata, problem: string): Error {
  return new Error(`${dto.name}.${meta.propertyName}: ${problem}`);
}
