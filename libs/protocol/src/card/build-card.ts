import type { AgentCard, SecurityScheme } from './agent-card.js';
import { skillOf, SKILL_IDS, type SkillId } from './skills.js';

export const EXTENSION_URI = 'urn:cleveragents:extensions:v1';

export interface CardFacts {
  /** Where callers reach this server: advertised as it is. */
  readonly baseUrl: string;
  /** Major.Minor of the card's own content. */
  readonly version: string;
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedCard: boolean;
  /** Callers must activate the extension. Off by default: 0.1 clients cannot activate one. */
  readonly extensionRequired: boolean;
  /** Skills whose methods are registered. */
  readonly skills: readonly SkillId[];
  /** Set in multi-user mode. */
  readonly oidcIssuer?: string | undefined;
}

const INTERFACE_VERSIONS = ['1.0', '0.3'] as const;
/** Media types that this server reads, and writes unless a skill says more. */
export const INPUT_MODES = ['text/plain', 'application/json'] as const;
const OUTPUT_MODES = INPUT_MODES;

/** The card in the form of A2A 1.0, with nothing in it that 1.0 does not know: conformance kits forbid more. */
export function buildCard10(facts: CardFacts): AgentCard {
  const url = `${withoutTrailingSlash(facts.baseUrl)}/a2a`;
  const securitySchemes = securitySchemesOf(facts.oidcIssuer);
  return {
    name: 'CleverAgents',
    description: 'AI agent orchestration platform',
    version: facts.version,
    // In order of preference.
    supportedInterfaces: INTERFACE_VERSIONS.map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    capabilities: {
      streaming: facts.streaming,
      pushNotifications: facts.pushNotifications,
      extendedAgentCard: facts.extendedCard,
      extensions: [
        { uri: EXTENSION_URI, description: 'CleverAgents platform operations', required: facts.extensionRequired },
      ],
    },
    defaultInputModes: [...INPUT_MODES],
    defaultOutputModes: [...OUTPUT_MODES],
    skills: SKILL_IDS.filter((id) => facts.skills.includes(id)).map(skillOf),
    securitySchemes,
    // Alternatives: any one of the schemes is enough.
    securityRequirements: Object.keys(securitySchemes).map((name) => ({ schemes: { [name]: { list: [] } } })),
  };
}

function securitySchemesOf(oidcIssuer: string | undefined): Record<string, SecurityScheme> {
  const bearer = { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } };
  if (oidcIssuer === undefined) return { bearer };
  const openIdConnectUrl = `${withoutTrailingSlash(oidcIssuer)}/.well-known/openid-configuration`;
  return { bearer, oidc: { openIdConnectSecurityScheme: { openIdConnectUrl } } };
}

function withoutTrailingSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}
