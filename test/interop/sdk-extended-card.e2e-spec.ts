import { ClientFactory, JsonRpcTransportFactory } from 'a2a-sdk-1/client';
import {
  ClientFactory as ClientFactory03,
  JsonRpcTransportFactory as JsonRpcTransportFactory03,
} from 'a2a-sdk-03/client';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await TestDatabase.create();
  server = await ServerProcess.start(database.variables());
});

afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

const authorized: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${server.token}`);
  return fetch(input, { ...init, headers });
};

/** What only the extended card says. */
const MORE = { methods: expect.any(Array) as unknown };

describe('the extended card', () => {
  it('is what the official SDK of A2A 1.0 shows for the card', async () => {
    const transports = [new JsonRpcTransportFactory({ fetchImpl: authorized })];
    const sdk = await new ClientFactory({ transports }).createFromUrl(server.baseUrl);
    expect((await sdk.getAgentCard()).capabilities?.extensions[0]?.params).toMatchObject(MORE);
  });

  it('is what the official SDK of A2A 0.3 shows for the card', async () => {
    const transports = [new JsonRpcTransportFactory03({ fetchImpl: authorized })];
    const sdk = await new ClientFactory03({ transports }).createFromUrl(server.baseUrl);
    expect((await sdk.getAgentCard()).capabilities.extensions?.[0]?.params).toMatchObject(MORE);
  });
});
