import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '@cleveragents/config';
import { DatabaseServer } from '@cleveragents/database';
import { ConfigurationError } from '@cleveragents/kernel';
import type { AppLogger } from '@cleveragents/observability';
import { serveApiDocs } from './http/api-docs.js';
import { JsonRpcRegistry } from '@cleveragents/jsonrpc';
import { FrontDoor } from './http/front-door.js';
import { JsonRpcController } from './http/json-rpc.controller.js';
import { REQUIRED_METHODS } from './required-methods.js';
import { ServerModule } from './server.module.js';

/** Idle connections outlive those of the usual proxies, so that a proxy never reuses one that is being closed. */
const KEEP_ALIVE_MS = 65_000;

/** The whole application, ready to listen. */
export async function createServer(config: AppConfig, logger: AppLogger): Promise<NestExpressApplication> {
  const app = await assemble(config, logger);
  try {
    app.disable('x-powered-by');
    serveApiDocs(app);
    await app.init();
    app.get(JsonRpcRegistry).require(REQUIRED_METHODS);
    const server = app.getHttpServer();
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    app.get(FrontDoor).install(server, app.get(JsonRpcController));
    return app;
  } catch (error) {
    // The database was opened: it must not outlive a start that failed.
    await app.close();
    throw error;
  }
}

async function assemble(config: AppConfig, logger: AppLogger): Promise<NestExpressApplication> {
  try {
    return await NestFactory.create<NestExpressApplication>(ServerModule.forRoot(config, logger), {
      logger,
      abortOnError: false,
      // JsonRpcController reads the bounded body itself, the same way for both doors.
      bodyParser: false,
      ...httpsOptions(config),
    });
  } catch (error) {
    await DatabaseServer.closeAll();
    throw error;
  }
}

function httpsOptions(config: AppConfig): { httpsOptions?: { cert: Buffer; key: Buffer } } {
  const { tls } = config.http;
  if (tls === null) return {};
  const cert = readSetting('TLS_CERT_FILE', tls.certFile);
  const key = readSetting('TLS_KEY_FILE', tls.keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigurationError(
      'TLS_CERT_FILE and TLS_KEY_FILE do not hold a certificate and its key',
      {},
      { cause: error },
    );
  }
  return { httpsOptions: { cert, key } };
}

function readSetting(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigurationError(`The file of ${name} cannot be read`, { key: name }, { cause: error });
  }
}
