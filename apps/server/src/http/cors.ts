import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'A2A-Version',
  'A2A-Extensions',
  'X-A2A-Extensions',
  'Last-Event-ID',
  'Idempotency-Key',
  'X-Correlation-ID',
].join(', ');

const EXPOSED_HEADERS = [
  'A2A-Version',
  'A2A-Extensions',
  'X-A2A-Extensions',
  'Deprecation',
  'ETag',
  'WWW-Authenticate',
  'X-Correlation-ID',
].join(', ');

const PREFLIGHT_SECONDS = '600';

/** Web pages of the origins in CORS_ORIGINS may call the server; by default none may. */
@Injectable()
export class Cors {
  private readonly origins: ReadonlySet<string>;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.origins = new Set(config.http.corsOrigins);
  }

  /** Sets the headers of an answer to a web page. Answers a preflight, which carries no token, and says so. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return false;
    response.appendHeader('Vary', 'Origin');
    const isAllowed = this.origins.has('*') || this.origins.has(origin);
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
      response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    }
    response.writeHead(204).end();
    return true;
  }
}
