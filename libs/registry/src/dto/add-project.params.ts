import type { JsonObject } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { ValidationMode } from '../domain/project-spec.js';
import { AddEntityParams } from './add-entity.params.js';

export class ProjectValidationParams {
  @IsString()
  @MaxLength(400)
  name: string;

  @IsOptional()
  @IsIn(['required', 'informational'])
  mode?: ValidationMode;

  @IsOptional()
  @IsObject()
  args?: JsonObject;
}

export class ProjectDefaultsParams {
  @IsOptional()
  @IsString()
  @MaxLength(400)
  strategy_actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  execution_actor?: string;
}

export class AddProjectParams extends AddEntityParams {
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  description?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  resources?: string[];

  @IsOptional()
  @IsString()
  @MaxLength(400)
  automation_profile?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(2000, { each: true })
  invariants?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ProjectValidationParams)
  validations?: ProjectValidationParams[];

  @IsOptional()
  @IsObject()
  context_policy?: JsonObject;

  @IsOptional()
  @ValidateNested()
  @Type(() => ProjectDefaultsParams)
  defaults?: ProjectDefaultsParams;

  /** Files whose change counts as a change of configuration. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  config_globs?: string[];
}
