import { IsOptional, IsString } from 'class-validator';

/** A2A 1.0 GetExtendedAgentCardRequest. */
export class ExtendedCardParams {
  /** The card is the caller's, whatever the tenant. */
  @IsOptional()
  @IsString()
  tenant?: string;
}
