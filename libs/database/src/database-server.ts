import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '@cleveragents/config';
import { EmbeddedPostgres } from './embedded/embedded-postgres.js';

/** The PostgreSQL that this process uses: the one that DATABASE_URL names, else the embedded one of the data directory. */
export class DatabaseServer implements OnApplicationShutdown {
  private static readonly opened = new Set<DatabaseServer>();

  private constructor(
    /** Connection URL with the password: for connections, never for a log. */
    readonly url: string,
    /** Whether the schema is brought up to date when the server starts. */
    readonly migratesOnStart: boolean,
    private readonly embedded: EmbeddedPostgres | null,
  ) {}

  static async open(config: Pick<AppConfig, 'dataDir' | 'database'>): Promise<DatabaseServer> {
    const { url, migrateOnStart } = config.database;
    if (url !== null) return new DatabaseServer(url, migrateOnStart, null);
    const logger = new Logger('EmbeddedPostgres');
    const embedded = await EmbeddedPostgres.start({ dataDir: config.dataDir, report: (line) => logger.warn(line) });
    const server = new DatabaseServer(embedded.url, true, embedded);
    DatabaseServer.opened.add(server);
    return server;
  }

  /** Stops what is still open: Nest runs no shutdown hook of an application that failed while it was put together. */
  static async closeAll(): Promise<void> {
    await Promise.all(Array.from(this.opened, (server) => server.onApplicationShutdown()));
  }

  /** Nest ends the modules that import this one's module first: by now every pool is closed. */
  async onApplicationShutdown(): Promise<void> {
    DatabaseServer.opened.delete(this);
    await this.embedded?.stop();
  }
}
