import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { makeTestDirectory } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.js';
import { TlsProxy, type ProxiedAnswer } from './tls-proxy.js';

const PUBLIC = 'https://agents.example.test/core';
const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const;
const UI = 'https://ui.example.test';

let directory: string;
let server: TestServer;
let proxy: TlsProxy;

beforeAll(async () => {
  directory = await makeTestDirectory();
  server = await TestServer.start({
    PUBLIC_BASE_URL: PUBLIC,
    TRUSTED_PROXIES: '127.0.0.1',
    CORS_ORIGINS: UI,
  });
  proxy = await TlsProxy.start(new URL(PUBLIC), server.url, directory);
});

afterAll(async () => {
  await proxy.stop();
  await server.stop();
  await rm(directory, { recursive: true });
});

const throughProxy = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  proxy.ask(new URL(`${PUBLIC}${path}`), { headers, method });

/** Without the proxy, under any Host header: fetch would not send one. */
async function directly(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<ProxiedAnswer> {
  const outgoing = request(`${server.url}${path}`, { headers, method });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

describe('R27.1: the public card', () => {
  it('is the same by either path, through the proxy and directly, whatever host a client claims', async () => {
    const answers = await Promise.all(
      CARD_PATHS.flatMap((path) => [
        throughProxy(path),
        throughProxy(path, { 'x-forwarded-host': 'evil.test' }),
        directly(path),
        directly(path, { host: 'evil.test' }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('names the public address and no other', async () => {
    const { text } = await throughProxy(CARD_PATHS[0]);
    const urls = text.match(/https?:[^"]+/g) ?? [];
    expect(new Set(urls)).toEqual(new Set([`${PUBLIC}/a2a`]));
    expect(text).not.toMatch(/evil\.test|localhost|127\.0\.0\.1|:\d{4,5}\//);
  });

  it('has what readers of every generation look for', async () => {
    const card = JSON.parse((await throughProxy(CARD_PATHS[1])).text) as Record<string, unknown>;
    expect(card).toMatchObject({
      url: `${PUBLIC}/a2a`,
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      supportedInterfaces: [{ url: `${PUBLIC}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, {}],
      capabilities: { extensions: [{ uri: 'urn:cleveragents:extensions:v1' }] },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
    });
    const skills = card['skills'] as Record<string, unknown>[];
    expect(skills.length).toBeGreaterThan(0);
    for (const { id, name, description, tags } of skills) {
      expect([id, name, description].every((text) => typeof text === 'string' && text !== '')).toBe(true);
      expect(tags).toEqual(expect.arrayContaining([expect.any(String)]));
    }
  });

  it('is refused to a direct caller that claims a proxy of its own', async () => {
    for (const [name, value] of [
      ['x-forwarded-host', 'evil.test'],
      ['x-forwarded-for', '203.0.113.9'],
    ] as const) {
      const { status, text } = await directly(CARD_PATHS[0], { [name]: value });
      expect(status).toBe(403);
      expect(text).toContain('HTTPS_REQUIRED');
    }
  });
});

describe('R27.2: the address in the card', () => {
  it.each(['tasks/get', 'GetTask'])('takes %s', async (method) => {
    const { url } = JSON.parse((await throughProxy(CARD_PATHS[0])).text) as { url: string };
    const { status, text } = await proxy.ask(new URL(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'no-such-task' } }),
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32001 } });
  });
});

describe('R27.3: a known card', () => {
  it.each(CARD_PATHS)('is not sent again from %s', async (path) => {
    const first = await throughProxy(path);
    expect(first.headers['cache-control']).toMatch(/max-age=\d+/);
    const etag = first.headers.etag ?? '';
    expect(etag).toMatch(/^"/);
    const again = await throughProxy(path, { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, text: '' });
  });
});

describe('R27.4: browsers', () => {
  const preflight = (origin: string) => ({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,a2a-version,last-event-id',
  });

  it.each(['/a2a', '/a2a/stream'])(
    'a listed origin may call %s, for which its preflight needs no token',
    async (path) => {
      for (const ask of [throughProxy, directly]) {
        const { status, headers } = await ask(path, preflight(UI), 'OPTIONS');
        expect(status).toBe(204);
        expect(headers['access-control-allow-origin']).toBe(UI);
        const allowed = headers['access-control-allow-headers']?.toLowerCase().split(', ');
        expect(allowed).toEqual(
          expect.arrayContaining(['authorization', 'content-type', 'a2a-version', 'last-event-id']),
        );
      }
    },
  );

  it('any other origin is allowed nothing', async () => {
    const { status, headers } = await throughProxy('/a2a', preflight('https://evil.test'), 'OPTIONS');
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const card = await throughProxy(CARD_PATHS[0], { origin: 'https://evil.test' });
    expect(card.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('R27.5: in production', () => {
  it.each(['', 'http://0.0.0.0:3000', 'http://127.0.0.1:3000'])(
    'a server with PUBLIC_BASE_URL=%s does not start, and says which variable is wrong',
    async (publicBaseUrl) => {
      const settings = { NODE_ENV: 'production', A2A_TEST_AGENT: 'off', PUBLIC_BASE_URL: publicBaseUrl };
      await expect(TestServer.start(settings)).rejects.toThrow('PUBLIC_BASE_URL');
    },
  );
});
