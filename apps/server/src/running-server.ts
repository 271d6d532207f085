import type { NestExpressApplication } from '@nestjs/platform-express';
import { LocalCredentials } from '@cleveragents/auth';
import { ServerAddress, type AppConfig } from '@cleveragents/config';
import { ConfigurationError } from '@cleveragents/kernel';
import type { AppLogger } from '@cleveragents/observability';
import { createServer } from './create-server.js';
import { OpenStreams } from './http/open-streams.js';
import { ServerState } from './http/server-state.js';
import { SilentConnections } from './http/silent-connections.js';

/** A server that listens, until it is stopped. */
export class RunningServer {
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly app: NestExpressApplication,
    private readonly silent: SilentConnections,
    private readonly config: AppConfig,
  ) {}

  static async start(config: AppConfig, logger: AppLogger): Promise<RunningServer> {
    const app = await createServer(config, logger);
    const silent = new SilentConnections(app.getHttpServer());
    try {
      await app.listen(config.http.port, config.http.host);
    } catch (error) {
      await app.close();
      throw listenError(error, config);
    }
    return new RunningServer(app, silent, config);
  }

  /** What the agent card advertises. */
  get baseUrl(): string {
    return this.app.get(ServerAddress).baseUrl();
  }

  /** Reachable from this machine, whatever stands before it. */
  get listenUrl(): string {
    return this.app.get(ServerAddress).listenUrl();
  }

  get tokenFile(): string {
    return this.app.get(LocalCredentials).tokenFile;
  }

  /**
   * Not ready from now on; streams end, calls in flight finish, what the process holds is given back. Resolves even
   * if some of that hangs: connections that are left after the grace period are cut.
   */
  stop(): Promise<void> {
    this.stopping ??= this.drain();
    return this.stopping;
  }

  private async drain(): Promise<void> {
    this.app.get(ServerState).beginStop();
    this.app.get(OpenStreams).endAll();
    this.silent.closeAll();
    const cut = setTimeout(() => this.app.getHttpServer().closeAllConnections(), this.config.engine.shutdownGraceMs);
    try {
      await this.app.close();
    } finally {
      clearTimeout(cut);
    }
  }
}

function listenError(error: unknown, config: AppConfig): unknown {
  const { host, port } = config.http;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(`Port ${port} on ${host} is in use: stop what listens there, or set PORT`, {
      key: 'PORT',
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigurationError(`${host} is no address of this machine: set HOST`, { key: 'HOST' });
  }
  if (code === 'EACCES') return new ConfigurationError(`Port ${port} may not be used: set PORT`, { key: 'PORT' });
  return error;
}
