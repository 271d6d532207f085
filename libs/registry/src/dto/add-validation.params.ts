import type { JsonObject } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { ValidationMode } from '../domain/project-spec.js';
import { AddEntityParams } from './add-entity.params.js';

export class ValidationImplementationParams {
  @IsIn(['command'])
  kind: 'command';

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  @IsString({ each: true })
  @MaxLength(8192, { each: true })
  argv: string[];

  @IsOptional()
  @IsBoolean()
  stdin_json?: boolean;
}

export class ValidationAttachmentParams {
  @IsOptional()
  @IsString()
  @MaxLength(400)
  resource?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  project?: string;

  @IsOptional()
  @IsIn(['required', 'informational'])
  mode?: ValidationMode;

  @IsOptional()
  @IsObject()
  args?: JsonObject;
}

export class AddValidationParams extends AddEntityParams {
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  description?: string;

  @IsIn(['required', 'informational'])
  mode: ValidationMode;

  @IsOptional()
  @IsIn(['custom', 'command'])
  source?: 'custom' | 'command';

  @IsOptional()
  @IsObject()
  input_schema?: JsonObject;

  @IsOptional()
  @IsObject()
  output_schema?: JsonObject;

  @IsOptional()
  @ValidateNested()
  @Type(() => ValidationImplementationParams)
  implementation?: ValidationImplementationParams;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  wraps?: string;

  @IsOptional()
  @IsObject()
  transform?: JsonObject;

  @IsOptional()
  @IsObject()
  args?: JsonObject;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ValidationAttachmentParams)
  attachments?: ValidationAttachmentParams[];

  @IsOptional()
  @IsBoolean()
  network?: boolean;

  /** Seconds. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3600)
  timeout?: number;

  /** A validation never writes; the fields are accepted because a tool has them. */
  @IsOptional()
  @IsIn([true])
  read_only?: true;

  @IsOptional()
  @IsIn([false])
  writes?: false;

  @IsOptional()
  @IsIn([false])
  checkpointable?: false;
}
