import { IsDefined, IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '@cleveragents/kernel';
import { PlanIdParams } from './plan-id.params.js';

/** Corrects a decision of a plan, or adds to it. */
export class CorrectPlanParams extends PlanIdParams {
  @IsString()
  @MaxLength(64)
  decision_id: string;

  /** A plain text is guidance that is added. */
  @IsDefined()
  @JSONSchema({
    type: ['string', 'object'],
    minLength: 1,
    maxLength: 8000,
    required: ['mode'],
    properties: {
      mode: { enum: ['revert', 'append'] },
      guidance: { type: 'string', minLength: 1, maxLength: 8000 },
      choose: { type: 'integer', minimum: 1 },
      arguments: { type: 'object' },
      steps: { type: 'object' },
      dry_run: { type: 'boolean' },
    },
  })
  correction: string | JsonObject;
}
