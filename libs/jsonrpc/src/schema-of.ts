import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';

/** A JSON Schema (draft 7) that stands on its own. */
export type JsonSchema = { readonly [keyword: string]: unknown };

type ValidatorMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * The JSON Schemas that the class-validator decorators of DTOs describe, nested DTOs included, each under a name of its
 * own. Throws for a decorator that has no counterpart in JSON Schema, because its rule would be lost silently.
 */
export class DtoSchemas {
  private readonly open = new Map<Type<object>, string>();
  private readonly closed = new Map<Type<object>, string>();
  private readonly schemas = new Map<string, JsonSchema>();

  /** `place`: the JSON pointer below which the schemas will stand. */
  constructor(private readonly place: string) {}

  /** A reference to the schema of a DTO. `isClosed`: members that no decorator names are refused. */
  refTo(dto: Type<object>, isClosed: boolean): JsonSchema {
    const names = isClosed ? this.closed : this.open;
    const known = names.get(dto) ?? this.add(dto, isClosed, names);
    return { $ref: `${this.place}${known}` };
  }

  /** The schema itself; what it nests stays a reference. */
  schemaOf(dto: Type<object>, isClosed: boolean): JsonSchema {
    const validators = validatorsOf(dto);
    for (const validator of validators) refuseLossy(dto, validator);
    const closing = isClosed ? { additionalProperties: false } : {};
    if (validators.length === 0) return { type: 'object', properties: {}, ...closing };
    const schema = targetConstructorToSchema(dto, {
      classTransformerMetadataStorage: defaultMetadataStorage,
      additionalConverters: {
        [ValidationTypes.NESTED_VALIDATION]: (meta) => this.refTo(nestedType(meta), isClosed),
        [ValidationTypes.CUSTOM_VALIDATION]: (meta) => unknownValidator(dto, meta),
      },
    });
    return { ...schema, ...closing };
  }

  byName(): { readonly [name: string]: JsonSchema } {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private add(dto: Type<object>, isClosed: boolean, names: Map<Type<object>, string>): string {
    const name = this.freeName(dto.name);
    names.set(dto, name);
    // A DTO that nests itself refers to the name.
    this.schemas.set(name, {});
    this.schemas.set(name, this.schemaOf(dto, isClosed));
    return name;
  }

  /** Two classes of one name may meet. */
  private freeName(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.schemas.has(name); count++) name = `${wanted}${count}`;
    return name;
  }
}

/** The schema of one DTO, which stands on its own. */
export function schemaOf(dto: Type<object>, isClosed: boolean): JsonSchema {
  const schemas = new DtoSchemas('#/definitions/');
  const root = schemas.refTo(dto, isClosed);
  return { ...root, definitions: schemas.byName() };
}

export function hasValidators(dto: Type<object>): boolean {
  return validatorsOf(dto).length > 0;
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
