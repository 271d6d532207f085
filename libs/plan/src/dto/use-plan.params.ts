import { IsBoolean, IsDefined, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '@cleveragents/kernel';

/** An action, and what to use it on. */
export class UsePlanParams {
  @IsString()
  action_name: string;

  /** One to twenty; a lone name may stand without a list. */
  @IsDefined()
  @JSONSchema({
    // One flat schema: problems of `anyOf` are told for every branch, and nobody can read that.
    type: ['string', 'array'],
    items: { type: 'string' },
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
  })
  project_names: string | string[];

  /** By the action's declarations. */
  @IsOptional()
  @IsObject()
  arguments?: JsonObject;

  @IsOptional()
  @IsString()
  automation_profile?: string;

  @IsOptional()
  @IsString()
  strategy_actor?: string;

  @IsOptional()
  @IsString()
  execution_actor?: string;

  @IsOptional()
  @IsString()
  estimation_actor?: string;

  /** Can only add the restriction: an action that is read-only stays it. */
  @IsOptional()
  @IsBoolean()
  read_only?: boolean;

  @IsOptional()
  @IsString()
  @MaxLength(128)
  idempotency_key?: string;
}
