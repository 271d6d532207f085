import type { JsonObject } from '@cleveragents/kernel';

/** The Agent Card of A2A 1.0 (specification §4.4), as far as this server fills it. */
export interface AgentCard {
  name: string;
  description: string;
  version: string;
  supportedInterfaces: AgentInterface[];
  capabilities: AgentCapabilities;
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: AgentSkill[];
  securitySchemes: Record<string, SecurityScheme>;
  securityRequirements: SecurityRequirement[];
  signatures?: AgentCardSignature[];
}

/** A detached JWS in its flattened JSON form (RFC 7515 §7.2.2): the payload is the card itself. */
export interface AgentCardSignature {
  protected: string;
  signature: string;
}

export interface AgentInterface {
  url: string;
  protocolBinding: string;
  protocolVersion: string;
}

export interface AgentCapabilities {
  streaming: boolean;
  pushNotifications: boolean;
  extendedAgentCard: boolean;
  extensions: AgentExtension[];
}

export interface AgentExtension {
  uri: string;
  description: string;
  required: boolean;
  /** What the extension itself defines. */
  params?: JsonObject;
}

export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
}

/** Exactly one member is present. */
export interface SecurityScheme {
  httpAuthSecurityScheme?: { scheme: string; bearerFormat?: string };
  openIdConnectSecurityScheme?: { openIdConnectUrl: string };
}

export interface SecurityRequirement {
  schemes: Record<string, { list: string[] }>;
}
