// The peer: the official SDK's server on Express, as its documentation sets it up. Without authentication and audit.
// PORT; STORE = memory | pg; DATABASE_URL for the SDK's own PostgreSQL store, whose tables exist already.
import { createRequire } from 'node:module';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { DefaultRequestHandler, InMemoryTaskStore } from 'a2a-sdk-1/server';
import { DatabaseTaskStore } from 'a2a-sdk-1/server/database';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from 'a2a-sdk-1/server/express';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { BenchAgent } from './bench-agent.mjs';

const HOST = '127.0.0.1';
const POOL_SIZE = 10;
const port = Number(env.PORT);

/** The very Express that the product runs on. */
const express = createRequire(fileURLToPath(import.meta.resolve('@nestjs/platform-express')))('express');

function taskStore() {
  if (env.STORE === 'memory') return new InMemoryTaskStore();
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: POOL_SIZE });
  return new DatabaseTaskStore(new Kysely({ dialect: new PostgresDialect({ pool }) }));
}

function agentCard() {
  const url = `http://${HOST}:${port}/a2a`;
  const spoken = (protocolVersion) => ({ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion });
  return {
    name: 'bench',
    description: 'bench',
    version: '1',
    supportedInterfaces: [spoken('1.0'), spoken('0.3')],
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [],
    documentationUrl: '',
    signatures: [],
  };
}

const requestHandler = new DefaultRequestHandler(agentCard(), taskStore(), new BenchAgent());
const app = express();
app.disable('x-powered-by');
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use(
  '/a2a',
  jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } }),
);
app.listen(port, HOST);
