import { readFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '@cleveragents/config';
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
  const app = await NestFactory.create<NestExpressApplication>(ServerModule.forRoot(config, logger), {
    logger,
    abortOnError: false,
    // JsonRpcController reads the bounded body itself, the same way for both doors.
    bodyParser: false,
    ...httpsOptions(config),
  });
  app.disable('x-powered-by');
  serveApiDocs(app);
  await app.init();
  app.get(JsonRpcRegistry).require(REQUIRED_METHODS);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  app.get(FrontDoor).install(server, app.get(JsonRpcController));
  return app;
}

function httpsOptions(config: AppConfig): { httpsOptions?: { cert: Buffer; key: Buffer } } {
  const { tls } = config.http;
  if (tls === null) return {};
  return {
    httpsOptions: { cert: readSetting('TLS_CERT_FILE', tls.certFile), key: readSetting('TLS_KEY_FILE', tls.keyFile) },
  };
}

function readSetting(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigurationError(`The file of ${name} cannot be read`, { key: name }, { cause: error });
  }
}
