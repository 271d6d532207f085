import { mintToken } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.js';

const EXTENSION = 'urn:cleveragents:extensions:v1';
const PATHS = ['/extendedAgentCard', '/v1/card', '/agent/authenticatedExtendedCard'];
const NAMES_0X = ['agent/getAuthenticatedExtendedCard', 'agent/authenticatedExtendedCard', 'getExtendedAgentCard'];
const PUBLIC_PATHS = [
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/v1/.well-known/agent-card.json',
] as const;

interface Card {
  readonly skills: readonly { readonly id: string; readonly description: string; readonly examples: string[] }[];
  readonly capabilities: { readonly extensions: readonly { readonly uri: string; readonly params?: Params }[] };
}

interface Params {
  readonly methods: readonly { readonly name: string; readonly summary: string; readonly streaming: boolean }[];
  readonly limits: object;
  readonly namespaces: readonly string[];
  readonly actions?: readonly { readonly name: string; readonly arguments?: readonly object[] }[];
}

let server: TestServer;
let viewer: string;

beforeAll(async () => {
  server = await TestServer.start({ A2A_BODY_LIMIT: '2MiB' });
  viewer = await mintToken(server.dataDir, 'vera', { acme: 'viewer' });
  for (const [name, rest] of [
    ['acme/exclaim', {}],
    ['acme/unfinished', { state: 'draft' }],
    ['other/secret-work', {}],
  ] as const) {
    const answer = await server.call('_cleveragents/registry/action/add', { ...action(name), ...rest });
    expect(answer.error).toBeUndefined();
  }
});

afterAll(() => server.stop());

function action(name: string): object {
  return {
    name,
    description: 'Ends every greeting with an exclamation mark.',
    definition_of_done: 'All greetings end with an exclamation mark',
    arguments: [
      { name: 'note', type: 'string', required: true, description: 'what the commit says' },
      { name: 'pin', type: 'string', secret: true },
    ],
  };
}

function paramsOf(card: Card): Params {
  const params = card.capabilities.extensions.find(({ uri }) => uri === EXTENSION)?.params;
  if (params === undefined) throw new Error('the card has no params of the extension');
  return params;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function cardOf(token: string): Promise<Card> {
  return (await (await server.get('/extendedAgentCard', bearer(token))).json()) as Card;
}

describe('the extended agent card', () => {
  it('is announced by the public card, in both spellings', async () => {
    const card = await (await server.get('/.well-known/agent-card.json')).json();
    expect(card).toMatchObject({
      supportsAuthenticatedExtendedCard: true,
      capabilities: { extendedAgentCard: true },
    });
  });

  it.each(PATHS)('is kept from callers without credentials at %s', async (path) => {
    for (const headers of [{}, bearer('nonsense')]) {
      const response = await server.get(path, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -31002 } });
    }
  });

  it.each(['GetExtendedAgentCard', ...NAMES_0X])('is kept from them by the name %s', async (method) => {
    const response = await server.post({ jsonrpc: '2.0', id: 1, method }, { authorization: undefined });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it.each(PATHS)('is private to its caller at %s', async (path) => {
    const response = await server.get(path, bearer(server.token));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('private');
    expect(response.headers.get('vary')).toContain('Authorization');
    const etag = response.headers.get('etag') ?? '';
    expect((await server.get(path, { ...bearer(server.token), 'if-none-match': etag })).status).toBe(304);
    expect((await server.get(path, { ...bearer(viewer), 'if-none-match': etag })).status).toBe(200);
  });

  it('has the form of 1.0 by its 1.0 name and path, and every form by the others', async () => {
    const { result: pure } = await server.call('GetExtendedAgentCard');
    expect(pure).not.toHaveProperty('preferredTransport');
    expect(await (await server.get('/extendedAgentCard', bearer(server.token))).json()).toEqual(pure);
    const headers = { ...bearer(server.token), 'a2a-version': '1.0' };
    expect(await (await server.get('/v1/card', headers)).json()).toEqual(pure);
    for (const name of NAMES_0X) {
      const { result } = await server.call(name);
      expect(result).toMatchObject({ preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' });
      expect(await (await server.get('/v1/card', bearer(server.token))).json()).toEqual(result);
    }
  });

  it('takes no params, empty ones and a tenant', async () => {
    for (const rest of [{}, { params: {} }, { params: { tenant: 'acme' } }]) {
      const response = await server.post({ jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard', ...rest });
      expect(await response.json()).toMatchObject({ result: { name: 'CleverAgents' } });
    }
  });

  it('shows the owner every finished action as a skill, with its arguments', async () => {
    const card = await cardOf(server.token);
    const skills = card.skills.filter(({ id }) => id.startsWith('action:'));
    expect(skills.map(({ id }) => id)).toEqual(['action:acme/exclaim', 'action:other/secret-work']);
    expect(skills[0]).toMatchObject({
      description:
        'Ends every greeting with an exclamation mark. Arguments: note (string, required): what the commit says; pin (string).',
      examples: ['use acme/exclaim on PROJECT note=VALUE'],
      outputModes: ['text/plain', 'application/json', 'text/x-diff'],
    });
    expect(paramsOf(card).actions?.[0]).toMatchObject({
      name: 'acme/exclaim',
      arguments: [
        { name: 'note', type: 'string', required: true },
        { name: 'pin', secret: true },
      ],
    });
  });

  it('tells the methods, the limits and the namespaces', async () => {
    const { methods, limits, namespaces } = paramsOf(await cardOf(server.token));
    expect(methods.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['SendMessage', '_cleveragents/plan/use', '_cleveragents/health/check']),
    );
    expect(methods).toContainEqual(expect.objectContaining({ name: 'SubscribeToTask', streaming: true }));
    expect(limits).toMatchObject({ body_bytes: 2 * 1024 * 1024, batch_calls: 50, blocking_ms: 55_000 });
    expect(namespaces).toEqual(['acme', 'local', 'other']);
  });

  it('shows others what they may use and see, and nothing else', async () => {
    const card = await cardOf(viewer);
    const { actions, namespaces } = paramsOf(card);
    expect(actions?.map(({ name }) => name)).toEqual(['acme/exclaim']);
    expect(namespaces).toEqual(['acme', 'vera']);
    expect(JSON.stringify(card)).not.toContain('secret-work');
  });
});

describe('AGENT_CARD_AUTH=required', () => {
  let closed: TestServer;

  beforeAll(async () => {
    closed = await TestServer.start({ AGENT_CARD_AUTH: 'required' });
  });

  afterAll(() => closed.stop());

  it.each([...PUBLIC_PATHS, ...PATHS])('keeps %s behind a token, and out of shared caches', async (path) => {
    const refused = await closed.get(path);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await refused.text()).not.toContain('CleverAgents');
    const response = await closed.get(path, bearer(closed.token));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('private');
    expect(response.headers.get('vary')).toContain('Authorization');
  });
});
