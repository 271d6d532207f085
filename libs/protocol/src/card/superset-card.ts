import type { JsonObject } from '@cleveragents/kernel';
import type { AgentCard, SecurityRequirement, SecurityScheme } from './agent-card.js';

/**
 * One document that clients of every generation, and of the reference, can read: a 1.0 card with the members of the
 * older generations beside its own, none of which is changed.
 */
export function supersetOf(card: AgentCard): JsonObject {
  const { capabilities } = card;
  const url = card.supportedInterfaces[0]?.url;
  return {
    ...(card as unknown as JsonObject),
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    capabilities: { ...(capabilities as unknown as JsonObject), stateTransitionHistory: false },
    supportsAuthenticatedExtendedCard: capabilities.extendedAgentCard,
    securitySchemes: Object.fromEntries(
      Object.entries(card.securitySchemes).map(([name, scheme]) => [name, withOpenApiForm(scheme)]),
    ),
    security: card.securityRequirements.map(securityOf),
    // Readers of 0.1.
    authentication: { schemes: ['Bearer'] },
    // Readers of the product's reference.
    extensions: capabilities.extensions.map(({ uri, description }) => ({ uri, description })),
    interfaces: [{ protocol: 'jsonrpc', url }],
  };
}

/** 0.2 and 0.3 tell schemes apart by `type`, 1.0 by its wrapper member: both stand side by side. */
function withOpenApiForm(scheme: SecurityScheme): JsonObject {
  const { httpAuthSecurityScheme, openIdConnectSecurityScheme } = scheme;
  const type = httpAuthSecurityScheme === undefined ? 'openIdConnect' : 'http';
  return { type, ...httpAuthSecurityScheme, ...openIdConnectSecurityScheme, ...scheme };
}

function securityOf(requirement: SecurityRequirement): JsonObject {
  return Object.fromEntries(Object.entries(requirement.schemes).map(([name, { list }]) => [name, list]));
}
