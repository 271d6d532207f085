import { EmbeddedPostgres } from '@cleveragents/database';
import { makeTestDirectory, ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textMessage, TestServer } from './test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server.stop());

describe('a call with a text that no table can hold', () => {
  it.each([
    ['_cleveragents/plan/status', { plan_id: 'a\0b' }, 'plan_id'],
    ['_cleveragents/plan/list', { created_by: 'a\0b' }, 'created_by'],
    ['_cleveragents/registry/project/add', { name: 'acme/x', resources: ['a\0b'] }, 'resources'],
  ])('%s names the parameter', async (method, params, path) => {
    const { error } = await server.call(method, params);
    expect(error?.code).toBe(-32602);
    expect(JSON.stringify(error?.data)).toContain(path);
  });

  it('keeps a message with U+0000 as it came', async () => {
    const { result } = await server.call('message/send', textMessage('echo: a\0b', 'nul-1'));
    expect(JSON.stringify(result)).toContain('a\\u0000b');
  });
});

describe('a value that is nested too deeply', () => {
  it('is refused however short it is', async () => {
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    const response = await server.post(`{"jsonrpc":"2.0","id":1,"method":"tasks/list","params":{"tenant":${deep}}}`);
    expect(response.status).toBe(200);
    expect(((await response.json()) as { error: { code: number } }).error.code).toBe(-32600);
  });
});

describe('a database that is away', () => {
  it('is told as 503 with the advice to try again, and serves again when it is back', async () => {
    const dataDir = await makeTestDirectory();
    const report = (): void => undefined;
    let postgres = await EmbeddedPostgres.start({ dataDir, report });
    const other = await TestServer.start({ DATABASE_URL: postgres.url, MIGRATE_ON_START: 'true' });
    const call = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: '00000000-0000-8000-8000-000000000000' } };
    await postgres.stop();
    const refused = await other.post(call);
    postgres = await EmbeddedPostgres.start({ dataDir, report });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(await other.call('tasks/get', call.params)).toMatchObject({ error: { code: -32001 } });
    await other.stop();
    await postgres.stop();
  });
});

describe('R01 j: a body over the limit', () => {
  it('is refused without being kept in memory, and the server goes on', async () => {
    const database = await TestDatabase.create();
    const process = await ServerProcess.start(database.variables({ A2A_BODY_LIMIT: '1MiB' }));
    await process.call('_cleveragents/health/check', {});
    const before = process.memory;
    const refused = await process.post('message/send', textMessage('a'.repeat(2 * 1024 * 1024), 'j-1'));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32600, data: { limit_bytes: 1_048_576 } } });
    expect(process.memory - before).toBeLessThan(32 * 1024 * 1024);
    expect((await process.call('_cleveragents/health/check', {})).result).toMatchObject({ status: 'ok' });
    await process.end('SIGTERM');
    await database.drop();
  });
});
