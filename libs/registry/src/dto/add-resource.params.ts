import type { JsonObject } from '@cleveragents/kernel';
import { IsBoolean, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { AddEntityParams } from './add-entity.params.js';

export class AddResourceParams extends AddEntityParams {
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  description?: string;

  @IsString()
  @MaxLength(400)
  type: string;

  /** By the arguments that the resource type declares. */
  @IsObject()
  properties: JsonObject;

  @IsOptional()
  @IsBoolean()
  read_only?: boolean;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  parent?: string;
}
