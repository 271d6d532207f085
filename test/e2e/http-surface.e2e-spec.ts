import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.js';

const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const PINNED_CARD = '/v1/.well-known/agent-card.json';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({
    PUBLIC_BASE_URL: 'https://agents.example.test/core/',
    CORS_ORIGINS: 'https://ui.example.test',
  });
});

afterAll(() => server.stop());

describe('agent cards', () => {
  it.each(CARD_PATHS)('%s serves the card of every generation without a token', async (path) => {
    const response = await server.get(path, { host: 'evil.test' });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toMatch(/evil|127\.0\.0\.1|localhost/);
    expect(JSON.parse(text)).toMatchObject({
      name: 'CleverAgents',
      version: '1.0',
      url: 'https://agents.example.test/core/a2a',
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      supportedInterfaces: [{ protocolVersion: '1.0' }, { protocolVersion: '0.3' }],
      capabilities: { streaming: true, extensions: [{ uri: 'urn:cleveragents:extensions:v1', required: false }] },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    });
  });

  it('serves the pure 1.0 card to those who state 1.0, and at an address of its own', async () => {
    const pinned = (await (await server.get(PINNED_CARD)).json()) as object;
    expect(pinned).not.toHaveProperty('preferredTransport');
    for (const path of CARD_PATHS) {
      expect(await (await server.get(path, { 'a2a-version': '1.0' })).json()).toEqual(pinned);
      expect(await (await server.get(`${path}?A2A-Version=1.0`)).json()).toEqual(pinned);
    }
  });

  it('can be cached, per version', async () => {
    const response = await server.get('/.well-known/agent-card.json');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(response.headers.get('vary')).toContain('A2A-Version');
    expect(new Date(response.headers.get('last-modified') ?? '').getTime()).toBeLessThanOrEqual(Date.now());
    const etag = response.headers.get('etag') ?? '';
    const again = await server.get('/.well-known/agent-card.json', { 'if-none-match': `"other", W/${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const pure = await server.get('/.well-known/agent-card.json', { 'if-none-match': etag, 'a2a-version': '1.0' });
    expect(pure.status).toBe(200);
  });

  it('answers HEAD like GET without the body', async () => {
    const response = await server.get('/.well-known/agent-card.json', {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"/);
  });
});

describe('probes', () => {
  it.each(['/live', '/ready', '/health'])(
    '%s says ok and nothing else, even through an untrusted proxy',
    async (path) => {
      const response = await server.get(path, { 'x-forwarded-for': '203.0.113.9' });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: 'ok' });
    },
  );
});

describe('health check', () => {
  it('tells an authenticated caller what the server depends on', async () => {
    expect((await server.call('_cleveragents/health/check')).result).toMatchObject({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      protocol: { a2a: ['0.1', '0.3', '1.0'], extensions: ['urn:cleveragents:extensions:v1'] },
      checks: [
        { name: 'database', status: 'ok' },
        { name: 'migrations', status: 'ok' },
        { name: 'queue', status: 'ok' },
        { name: 'sandbox_root', status: 'ok' },
        { name: 'git', status: 'ok' },
      ],
    });
  });
});

describe('a server without git', () => {
  it('is degraded, and serves what needs none', async () => {
    const poor = await TestServer.start({ PATH: '/nonexistent' });
    expect(await (await poor.get('/health')).json()).toEqual({ status: 'degraded' });
    expect((await poor.get('/ready')).status).toBe(200);
    expect((await poor.call('_cleveragents/health/check')).result).toMatchObject({
      status: 'degraded',
      checks: expect.arrayContaining([
        { name: 'git', status: 'degraded' },
        { name: 'database', status: 'ok' },
      ]) as object[],
    });
    await poor.stop();
  });
});

describe('API documentation', () => {
  it('shows the probes and the one endpoint', async () => {
    expect((await server.get('/docs')).headers.get('content-type')).toContain('text/html');
    const document = (await (await server.get('/docs-json')).json()) as { paths: object };
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/a2a', '/live', '/ready', '/health']));
  });
});

describe('cross-origin requests', () => {
  const preflight = (origin: string) =>
    server.get(
      '/a2a',
      {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,a2a-version,last-event-id',
      },
      'OPTIONS',
    );

  it('answers the preflight of a listed origin without a token', async () => {
    const response = await preflight('https://ui.example.test');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://ui.example.test');
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'a2a-version', 'last-event-id']));
  });

  it('allows nothing to any other origin', async () => {
    const response = await preflight('https://evil.test');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('lets a listed origin read the answer of a call', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check' };
    const response = await server.post(body, { origin: 'https://ui.example.test' });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://ui.example.test');
    expect(response.headers.get('vary')).toContain('Origin');
  });
});

describe('behind a trusted proxy', () => {
  let proxied: TestServer;

  beforeAll(async () => {
    proxied = await TestServer.start({ TRUSTED_PROXIES: '127.0.0.0/8', AGENT_CARD_AUTH: 'required' });
  });

  afterAll(() => proxied.stop());

  it.each([
    [{ 'x-forwarded-proto': 'https' }, 200],
    [{ 'x-forwarded-proto': 'http' }, 403],
    [{ 'x-forwarded-proto': 'https, http' }, 403],
    [{ 'x-forwarded-for': '203.0.113.9' }, 403],
    [{ forwarded: 'for=203.0.113.9;proto=https' }, 200],
    [{ forwarded: 'for=203.0.113.9;proto=http' }, 403],
    [{}, 200],
  ])('a call with %j answers %d', async (headers, status) => {
    const response = await proxied.post({ jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check' }, headers);
    expect(response.status).toBe(status);
  });

  it('keeps the card from those without a token where that is switched on', async () => {
    const refused = await proxied.get('/.well-known/agent-card.json');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const response = await proxied.get('/.well-known/agent-card.json', { authorization: `Bearer ${proxied.token}` });
    expect(response.status).toBe(200);
    expect(response.headers.get('vary')).toContain('Authorization');
  });
});

describe('a worker', () => {
  it('serves its probes and nothing else', async () => {
    const worker = await TestServer.start({ ROLE: 'worker' });
    expect((await worker.get('/live')).status).toBe(200);
    expect((await worker.post({ jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check' })).status).toBe(404);
    await worker.stop();
  });
});
