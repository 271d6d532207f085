import type { Type } from '@nestjs/common';
import type { JsonObject } from '@cleveragents/kernel';
import { Type as NestedType } from 'class-transformer';
import { getMetadataStorage, IsObject, IsOptional, IsString, Length, MaxLength, ValidateNested } from 'class-validator';
import type { AddEntityParams } from './add-entity.params.js';
import { ListEntitiesParams } from './list-entities.params.js';

/** The fields of an entity, or a document that holds them, in full or in part. */
export interface AddEntityCall extends Partial<AddEntityParams> {
  readonly config?: JsonObject;
  readonly config_yaml?: string;
  readonly idempotency_key?: string;
}

export interface ListEntitiesCall extends ListEntitiesParams {
  readonly filter?: Record<string, string>;
}

/**
 * Params of `add` for one kind: its fields, all of them optional because `config` or `config_yaml` may bring them. What
 * is missing from both is found when the parts have been put together.
 */
export function addCallOf(add: Type<AddEntityParams>): Type<AddEntityCall> {
  class AddCall extends add {
    @IsOptional()
    @IsObject()
    config?: JsonObject;

    @IsOptional()
    @IsString()
    @MaxLength(256 * 1024)
    config_yaml?: string;

    @IsOptional()
    @IsString()
    @Length(1, 128)
    idempotency_key?: string;
  }
  for (const { propertyName } of getMetadataStorage().getTargetValidationMetadatas(add, '', true, false)) {
    IsOptional()(AddCall.prototype, propertyName);
  }
  return named(AddCall, add.name.replace(/Params$/, 'Call'));
}

/** Params of `list` for one kind: what every list takes, and the filters of the kind. */
export function listCallOf(add: Type<AddEntityParams>, filter: Type<object>): Type<ListEntitiesCall> {
  class ListCall extends ListEntitiesParams {
    @IsOptional()
    @ValidateNested()
    @NestedType(() => filter)
    filter?: Record<string, string>;
  }
  return named(ListCall, add.name.replace(/^Add(.*)Params$/, 'List$1Call'));
}

/** Schemas are told apart by the names of their classes. */
function named<T extends object>(type: Type<T>, name: string): Type<T> {
  return Object.defineProperty(type, 'name', { value: name });
}
