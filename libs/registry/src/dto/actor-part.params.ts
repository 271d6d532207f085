import type { JsonObject } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

/** Ids of steps, strategies and nodes; templates refer to them. */
export const PART_ID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export class ActorStrategyParams {
  @Matches(PART_ID)
  id: string;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  title?: string;

  @IsOptional()
  @IsObject()
  when?: JsonObject;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  confidence?: number;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @IsString({ each: true })
  steps: string[];
}

export class ActorStepParams {
  @Matches(PART_ID)
  id: string;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  title?: string;

  @IsString()
  @MaxLength(400)
  tool: string;

  @IsOptional()
  @IsObject()
  inputs?: JsonObject;

  @IsOptional()
  @IsObject()
  when?: JsonObject;

  @IsOptional()
  @IsIn(['stop', 'continue', 'retry'])
  on_error?: 'stop' | 'continue' | 'retry';

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  confidence?: number;
}

export class ModelOptionsParams {
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_tokens?: number;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  top_p?: number;
}

export class GraphNodeParams {
  @Matches(PART_ID)
  id: string;

  @IsIn(['llm', 'tool', 'router'])
  type: 'llm' | 'tool' | 'router';

  @IsOptional()
  @IsString()
  @MaxLength(400)
  actor?: string;

  @IsOptional()
  @IsString()
  @MaxLength(400)
  tool?: string;

  @IsOptional()
  @IsObject()
  inputs?: JsonObject;
}

export class GraphEdgeParams {
  @IsString()
  @MaxLength(64)
  from: string;

  @IsString()
  @MaxLength(64)
  to: string;

  @IsOptional()
  @IsObject()
  when?: JsonObject;
}

export class ActorGraphParams {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ValidateNested({ each: true })
  @Type(() => GraphNodeParams)
  nodes: GraphNodeParams[];

  @IsArray()
  @ArrayMaxSize(2000)
  @ValidateNested({ each: true })
  @Type(() => GraphEdgeParams)
  edges: GraphEdgeParams[];

  @IsString()
  @MaxLength(64)
  entry: string;

  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  exits: string[];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(1000)
  max_iterations?: number;
}

export class RemoteAuthParams {
  @IsString()
  @MaxLength(64)
  scheme: string;

  @Matches(/^(?:env|file):[A-Za-z0-9_.-]{1,200}$/)
  secret_ref: string;
}

export class BreakerParams {
  @IsOptional()
  @IsInt()
  @Min(1)
  window?: number;

  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  failure_rate?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  open_s?: number;
}
