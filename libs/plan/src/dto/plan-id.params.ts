import { IsString, MaxLength } from 'class-validator';

/** Names one plan, by its full id. */
export class PlanIdParams {
  @IsString()
  @MaxLength(64)
  plan_id: string;
}
