import { AgentCard as SdkAgentCard, canonicalizeAgentCard } from 'a2a-sdk-1';
import { DefaultAgentCardResolver, ClientFactory } from 'a2a-sdk-1/client';
import type * as sdk03 from 'a2a-sdk-03';
import {
  ClientFactory as ClientFactory03,
  DefaultAgentCardResolver as DefaultAgentCardResolver03,
} from 'a2a-sdk-03/client';
import { describe, expect, it } from 'vitest';
import { buildCard10, EXTENSION_URI, type CardFacts } from './build-card.js';
import { cardETag } from './card-etag.js';
import { SKILL_IDS } from './skills.js';
import { supersetOf } from './superset-card.js';

const BASE = 'https://agents.example.test/core';
const facts: CardFacts = {
  baseUrl: BASE,
  version: '1.0',
  streaming: true,
  pushNotifications: false,
  extendedCard: true,
  extensionRequired: false,
  skills: ['namespace-mgmt', 'plan-lifecycle'],
};

/** An HTTP client that is given this document, whatever it asks for. */
const serving = (card: object) => () => Promise.resolve(Response.json(card));

describe('the 1.0 card', () => {
  it('has the fixed content', () => {
    const { skills, ...card } = buildCard10({ ...facts, skills: [] });
    expect(skills).toEqual([]);
    expect(card).toEqual({
      name: 'CleverAgents',
      description: 'AI agent orchestration platform',
      version: '1.0',
      supportedInterfaces: [
        { url: `${BASE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${BASE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      capabilities: {
        streaming: true,
        pushNotifications: false,
        extendedAgentCard: true,
        extensions: [
          {
            uri: 'urn:cleveragents:extensions:v1',
            description: 'CleverAgents platform operations',
            required: false,
          },
        ],
      },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
  });

  it('says that the extension is required where callers must activate it', () => {
    const { extensions } = buildCard10({ ...facts, extensionRequired: true }).capabilities;
    expect(extensions).toEqual([expect.objectContaining({ uri: EXTENSION_URI, required: true })]);
  });

  it('names only the skills whose methods are registered, in a fixed order', () => {
    const { skills } = buildCard10(facts);
    expect(skills.map((skill) => [skill.id, skill.name])).toEqual([
      ['plan-lifecycle', 'Plan Lifecycle Management'],
      ['namespace-mgmt', 'Namespace Management'],
    ]);
  });

  it('gives every skill what readers of all generations need', () => {
    for (const skill of buildCard10({ ...facts, skills: SKILL_IDS }).skills) {
      expect(skill.description).not.toBe('');
      expect(skill.tags.length).toBeGreaterThan(0);
      expect(skill.examples).toHaveLength(1);
      expect(skill.inputModes).toEqual(['text/plain', 'application/json']);
      const diff = skill.id === 'plan-lifecycle' ? ['text/x-diff'] : [];
      expect(skill.outputModes).toEqual(['text/plain', 'application/json', ...diff]);
    }
  });

  it('offers the identity provider beside the bearer token in multi-user mode', () => {
    const card = buildCard10({ ...facts, oidcIssuer: 'https://id.example.test/' });
    expect(card.securitySchemes['oidc']).toEqual({
      openIdConnectSecurityScheme: {
        openIdConnectUrl: 'https://id.example.test/.well-known/openid-configuration',
      },
    });
    expect(card.securityRequirements).toEqual([
      { schemes: { bearer: { list: [] } } },
      { schemes: { oidc: { list: [] } } },
    ]);
  });

  it('has no member that 1.0 does not know', () => {
    const card = buildCard10(facts);
    const known = SdkAgentCard.fromJSON({ capabilities: {}, skills: [{}] });
    expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(card)));
    expect(Object.keys(known.capabilities ?? {})).toEqual(expect.arrayContaining(Object.keys(card.capabilities)));
    expect(Object.keys(known.skills[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(card.skills[0] ?? {})));
  });

  it.each([BASE, `${BASE}/`])('R27 advertises the base %s without a doubled slash', (baseUrl) => {
    const text = JSON.stringify(supersetOf(buildCard10({ ...facts, baseUrl })));
    expect(new Set(text.match(/https?:[^"]*/g))).toEqual(new Set([`${BASE}/a2a`]));
  });
});

describe('the superset card', () => {
  const card = supersetOf(buildCard10({ ...facts, oidcIssuer: 'https://id.example.test' }));

  it('adds what 0.x and the reference read, and changes nothing of the 1.0 card', () => {
    expect(card).toMatchObject(buildCard10({ ...facts, oidcIssuer: 'https://id.example.test' }));
    const expected: Omit<sdk03.AgentCard, 'skills' | 'name' | 'description' | 'version'> = {
      protocolVersion: '0.3.0',
      url: `${BASE}/a2a`,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: `${BASE}/a2a`, transport: 'JSONRPC' }],
      capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
      supportsAuthenticatedExtendedCard: true,
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        oidc: {
          type: 'openIdConnect',
          openIdConnectUrl: 'https://id.example.test/.well-known/openid-configuration',
        },
      },
      security: [{ bearer: [] }, { oidc: [] }],
    };
    expect(card).toMatchObject(expected);
    expect(card).toMatchObject({
      authentication: { schemes: ['Bearer'] },
      extensions: [{ uri: 'urn:cleveragents:extensions:v1', description: 'CleverAgents platform operations' }],
      interfaces: [{ protocol: 'jsonrpc', url: `${BASE}/a2a` }],
    });
  });

  it('is read by the 0.3 SDK, which finds its endpoint', async () => {
    const resolver = new DefaultAgentCardResolver03({ fetchImpl: serving(card) });
    const read = await resolver.resolve(BASE);
    expect(read).toMatchObject({ url: `${BASE}/a2a`, protocolVersion: '0.3.0' });
    await expect(new ClientFactory03().createFromAgentCard(read)).resolves.toBeDefined();
  });

  it.each([true, false])('is read by the 1.0 SDK (its compatibility %s), which finds its endpoint', async (enabled) => {
    const resolver = new DefaultAgentCardResolver({ fetchImpl: serving(card), legacyCompat: { enabled } });
    const read = await resolver.resolve(BASE);
    expect(read.supportedInterfaces[0]).toMatchObject({ url: `${BASE}/a2a`, protocolVersion: '1.0' });
    await expect(new ClientFactory().createFromAgentCard(read)).resolves.toBeDefined();
  });

  it('is the pure card to a 1.0 reader, signatures included', () => {
    const pure = buildCard10({ ...facts, oidcIssuer: 'https://id.example.test' });
    const canonical = (document: object) => canonicalizeAgentCard(document as SdkAgentCard);
    expect(canonical(card)).toBe(canonical(pure));
  });
});

describe('cardETag', () => {
  it('is a strong tag that depends on the content, not on the order of its members', () => {
    const card = buildCard10(facts);
    expect(cardETag(card)).toMatch(/^"[\w-]{43}"$/);
    expect(cardETag(Object.fromEntries(Object.entries(card).toReversed()))).toBe(cardETag(card));
    expect(cardETag(buildCard10({ ...facts, version: '1.1' }))).not.toBe(cardETag(card));
  });
});
