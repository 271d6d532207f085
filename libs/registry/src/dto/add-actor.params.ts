import type { JsonObject } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { ActorType } from '../domain/actor-spec.js';
import {
  ActorGraphParams,
  ActorStepParams,
  ActorStrategyParams,
  BreakerParams,
  ModelOptionsParams,
  RemoteAuthParams,
} from './actor-part.params.js';
import { AddEntityParams } from './add-entity.params.js';

/** Letters, digits and the signs that model names use; no control characters. */
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,199}$/;

/** An actor of any type; which fields go with which type is a rule of its own. */
export class AddActorParams extends AddEntityParams {
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  description?: string;

  @IsIn(['llm', 'graph', 'tool', 'a2a'])
  type: ActorType;

  @IsOptional()
  @Matches(/^[a-z][a-z0-9_-]{0,63}$/)
  provider?: string;

  @IsOptional()
  @Matches(MODEL_NAME)
  model?: string;

  /** Provider and model in one, such as `openai/gpt-4o`. */
  @IsOptional()
  @Matches(/^[a-z][a-z0-9_-]{0,63}\/[A-Za-z0-9][A-Za-z0-9._:@/-]{0,199}$/)
  actor?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => ModelOptionsParams)
  options?: ModelOptionsParams;

  @IsOptional()
  @IsString()
  @MaxLength(65_536)
  system_prompt?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  skills?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  tools?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => ActorGraphParams)
  graph?: ActorGraphParams;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ActorStrategyParams)
  strategies?: ActorStrategyParams[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(500)
  @ValidateNested({ each: true })
  @Type(() => ActorStepParams)
  steps?: ActorStepParams[];

  @IsOptional()
  @IsIn(['strategist', 'executor', 'reviewer'])
  context_view?: 'strategist' | 'executor' | 'reviewer';

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  lsp_servers?: string[];

  @IsOptional()
  @IsBoolean()
  unsafe?: boolean;

  @IsOptional()
  @Matches(/^https?:\/\/[^\s]{1,2000}$/)
  card_url?: string;

  @IsOptional()
  @IsObject()
  card?: JsonObject;

  @IsOptional()
  @ValidateNested()
  @Type(() => RemoteAuthParams)
  auth?: RemoteAuthParams;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  allowed_skills?: string[];

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  allowed_callers?: string[];

  @IsOptional()
  @IsIn(['require', 'prefer', 'off'])
  signature?: 'require' | 'prefer' | 'off';

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3600)
  timeout_s?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(86_400)
  working_limit_s?: number;

  @IsOptional()
  @IsIn(['auto', 'always', 'never'])
  stream?: 'auto' | 'always' | 'never';

  @IsOptional()
  @ValidateNested()
  @Type(() => BreakerParams)
  breaker?: BreakerParams;
}
