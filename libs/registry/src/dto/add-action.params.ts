import type { JsonObject, JsonValue } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ARGUMENT_TYPES, type ActionState, type ArgumentType } from '../domain/action-spec.js';
import { AddEntityParams } from './add-entity.params.js';

export class ActionArgumentParams {
  @Matches(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
  name: string;

  @IsIn([...ARGUMENT_TYPES])
  type: ArgumentType;

  @IsOptional()
  @IsBoolean()
  required?: boolean;

  @IsOptional()
  default?: JsonValue;

  @IsOptional()
  @IsString()
  @MaxLength(2000)
  description?: string;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  enum?: JsonValue[];

  @IsOptional()
  @IsString()
  pattern?: string;

  @IsOptional()
  @IsNumber()
  min?: number;

  @IsOptional()
  @IsNumber()
  max?: number;

  @IsOptional()
  @IsBoolean()
  secret?: boolean;
}

export class AddActionParams extends AddEntityParams {
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  description: string;

  @IsOptional()
  @IsString()
  @MaxLength(20_000)
  long_description?: string;

  @IsString()
  @MinLength(1)
  @MaxLength(20_000)
  definition_of_done: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  strategy_actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  execution_actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  estimation_actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  review_actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  apply_actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  invariant_actor?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ActionArgumentParams)
  arguments?: ActionArgumentParams[];

  @IsOptional()
  @IsBoolean()
  reusable?: boolean;

  @IsOptional()
  @IsBoolean()
  read_only?: boolean;

  @IsOptional()
  @IsIn(['available', 'archived', 'draft'])
  state?: ActionState;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  automation_profile?: string;

  @IsOptional()
  @IsObject()
  safety_profile?: JsonObject;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(2000, { each: true })
  invariants?: string[];
}
