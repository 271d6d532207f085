import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { ActionState } from '../domain/action-spec.js';
import type { ActorType } from '../domain/actor-spec.js';
import type { ValidationMode } from '../domain/project-spec.js';

export class ActorFilterParams {
  @IsOptional()
  @IsIn(['llm', 'graph', 'tool', 'a2a'])
  type?: ActorType;

  @IsOptional()
  @IsString()
  @MaxLength(64)
  provider?: string;
}

export class ActionFilterParams {
  @IsOptional()
  @IsIn(['available', 'archived', 'draft'])
  state?: ActionState;
}

export class ResourceFilterParams {
  @IsOptional()
  @IsString()
  @MaxLength(400)
  type?: string;
}

export class ValidationFilterParams {
  @IsOptional()
  @IsIn(['required', 'informational'])
  mode?: ValidationMode;
}

/** Projects have nothing to filter by. */
export class NoFilterParams {}
