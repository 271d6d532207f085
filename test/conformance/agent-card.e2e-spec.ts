import type { AgentCard as AgentCard03 } from 'a2a-sdk-03';
import type { AgentCard } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentUnderTest } from './agent-under-test.js';
import { Client03 } from './client-03.js';
import { Client10 } from './client-10.js';
import { cardIn03 } from './shapes-03.js';
import { expectCard } from './shapes-10.js';

const WELL_KNOWN = '/.well-known/agent-card.json';
const V10 = { 'A2A-Version': '1.0' };

let agent: AgentUnderTest;

beforeAll(async () => {
  agent = await AgentUnderTest.start();
});

afterAll(() => agent.stop());

async function card10(path = WELL_KNOWN): Promise<AgentCard> {
  return (await (await agent.get(path, V10)).json()) as AgentCard;
}

async function card03(): Promise<AgentCard03> {
  return cardIn03(await (await agent.get(WELL_KNOWN)).json());
}

describe('A2A 1.0 §8 The Agent Card', () => {
  it('§8.1 MUST be available, at the well-known address', async () => {
    const response = await agent.get(WELL_KNOWN, V10);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it.each([WELL_KNOWN, '/.well-known/agent.json', `/v1${WELL_KNOWN}`])(
    '§4.4.1 is exactly of the type AgentCard at %s',
    async (path) => {
      expectCard(await card10(path));
    },
  );

  it('§4.4.1 is of that type without a stated version below /v1', async () => {
    expectCard(await (await agent.get(`/v1${WELL_KNOWN}`)).json());
  });

  it('§4.4.1 has every required field', async () => {
    const card = await card10();
    for (const text of [card.name, card.description, card.version]) expect(text).not.toBe('');
    for (const filled of [card.supportedInterfaces, card.defaultInputModes, card.defaultOutputModes, card.skills]) {
      expect(filled.length).toBeGreaterThan(0);
    }
    expect(card.capabilities).toBeTypeOf('object');
  });

  it('§4.4.5 has skills with id, name, description and tags', async () => {
    const { skills } = await card10();
    for (const { id, name, description, tags } of skills) {
      for (const text of [id, name, description]) expect(text).not.toBe('');
      expect(tags.length).toBeGreaterThan(0);
    }
    expect(new Set(skills.map(({ id }) => id)).size).toBe(skills.length);
  });

  it('§4.4.5 names media types only', async () => {
    const { defaultInputModes, defaultOutputModes, skills } = await card10();
    const modes = skills.flatMap(({ inputModes, outputModes }) => [...inputModes, ...outputModes]);
    for (const mode of [...defaultInputModes, ...defaultOutputModes, ...modes])
      expect(mode).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
  });

  it('§8.3.1 MUST declare each interface accurately: it answers there, in that version', async () => {
    const { supportedInterfaces } = await card10();
    for (const { url, protocolBinding, protocolVersion } of supportedInterfaces) {
      expect(protocolBinding).toBe('JSONRPC');
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/list', params: {} });
      const headers = { 'Content-Type': 'application/json', 'A2A-Version': protocolVersion };
      const response = await fetch(url, { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({ id: 1, result: { tasks: [] } });
      expect(response.headers.get('a2a-version')).toBe(protocolVersion);
    }
  });

  it('§8.3.1 prefers 1.0, and lists the older versions that it speaks', async () => {
    const versions = (await card10()).supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
    expect(versions[0]).toBe('1.0');
    expect(versions).toContain('0.3');
    for (const version of versions) expect(version).toMatch(/^\d+\.\d+$/);
  });

  it('§3.3.4 declares streaming, which works', async () => {
    expect((await card10()).capabilities.streaming).toBe(true);
    const stream = await new Client10(agent).stream({ messageId: 'tck-stream-001' });
    expect(stream.isStream).toBe(true);
    expect(await stream.rest()).toHaveLength(4);
  });

  it('§4.6.1 declares its extension, which nobody must activate', async () => {
    const { extensions } = (await card10()).capabilities;
    expect(extensions).toContainEqual(
      expect.objectContaining({ uri: 'urn:cleveragents:extensions:v1', required: false }),
    );
  });

  it('§4.5 wraps its security schemes, and requires only what it has declared', async () => {
    const { securitySchemes, securityRequirements } = await card10();
    const declared = Object.keys(securitySchemes);
    expect(declared).toContain('bearer');
    expect(
      securityRequirements.flatMap(({ schemes }) => Object.keys(schemes)).every((name) => declared.includes(name)),
    ).toBe(true);
  });

  it('§8.6.1 SHOULD be cacheable, and MAY have Last-Modified', async () => {
    const { headers } = await agent.get(WELL_KNOWN, V10);
    expect(headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(new Date(headers.get('last-modified') ?? '').getTime()).toBeLessThanOrEqual(Date.now());
    expect(headers.get('vary')).toContain('A2A-Version');
  });

  it('§8.6.2 answers 304 to a client that has it', async () => {
    const { headers } = await agent.get(WELL_KNOWN, V10);
    const again = await agent.get(WELL_KNOWN, { ...V10, 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it('§3.6 gives each version its own card under one address', async () => {
    const tags = await Promise.all(
      [V10, { 'A2A-Version': '0.3' }].map(async (headers) =>
        (await agent.get(WELL_KNOWN, headers)).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(2);
  });
});

describe('A2A 1.0 §3.1.11 Get Extended Agent Card', () => {
  it('is declared and answered as an AgentCard', async () => {
    expect((await card10()).capabilities.extendedAgentCard).toBe(true);
    await new Client10(agent).result('GetExtendedAgentCard', {});
  });

  it('MAY show more than the public card, and nothing less', async () => {
    const shown = await card10();
    const extended = await new Client10(agent).result<AgentCard>('GetExtendedAgentCard', {});
    const ids = extended.skills.map(({ id }) => id);
    for (const { id } of shown.skills) expect(ids).toContain(id);
    expect([extended.name, extended.version]).toEqual([shown.name, shown.version]);
  });
});

describe('A2A 0.3 §5 The Agent Card', () => {
  it('§5.3 is at the recommended location', async () => {
    expect((await agent.get(WELL_KNOWN)).status).toBe(200);
  });

  it('§5.5 has every required field, in its type', async () => {
    expect((await card03()).protocolVersion).toBe('0.3.0');
  });

  it('§5.6.1 MUST answer JSON-RPC at its main address, as preferredTransport says', async () => {
    const { url, preferredTransport } = await card03();
    expect(preferredTransport).toBe('JSONRPC');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'nothing' } });
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32001 } });
  });

  it('§5.6.2 SHOULD list the main transport among its interfaces, without conflicts', async () => {
    const { url, preferredTransport, additionalInterfaces = [] } = await card03();
    expect(additionalInterfaces).toContainEqual({ url, transport: preferredTransport });
    expect(new Set(additionalInterfaces.map((entry) => entry.url)).size).toBe(additionalInterfaces.length);
  });

  it('§5.5.3 describes its security schemes as OpenAPI does, and requires only those', async () => {
    const { securitySchemes = {}, security = [] } = await card03();
    expect(securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    for (const name of security.flatMap((entry) => Object.keys(entry))) expect(securitySchemes).toHaveProperty(name);
  });

  it('§7.10 has an extended form, which it declares', async () => {
    expect((await card03()).supportsAuthenticatedExtendedCard).toBe(true);
    const extended = await new Client03(agent).result<AgentCard03>('agent/getAuthenticatedExtendedCard');
    expect(extended.name).toBe((await card03()).name);
  });
});
