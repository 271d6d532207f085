import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentInterface,
  AgentSkill,
  SecurityRequirement,
  SecurityScheme,
} from '@cleveragents/protocol';

/** A2A 1.0 AgentCard. */
export class AgentCardView implements AgentCard {
  @IsString()
  name: string;

  @IsString()
  description: string;

  @IsString()
  version: string;

  @IsArray()
  supportedInterfaces: AgentInterface[];

  @IsObject()
  capabilities: AgentCapabilities;

  @IsArray()
  @IsString({ each: true })
  defaultInputModes: string[];

  @IsArray()
  @IsString({ each: true })
  defaultOutputModes: string[];

  @IsArray()
  skills: AgentSkill[];

  @IsObject()
  securitySchemes: Record<string, SecurityScheme>;

  @IsArray()
  securityRequirements: SecurityRequirement[];

  @IsOptional()
  @IsArray()
  signatures?: AgentCardSignature[];
}
