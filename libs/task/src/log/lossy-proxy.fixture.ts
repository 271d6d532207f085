import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between the server and PostgreSQL, and can lose the answer to a statement that PostgreSQL carried out. */
export class LossyProxy {
  /** How many more answers to statements of this name are lost. */
  private losses = 0;
  private statement = '';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(databaseUrl: string): Promise<LossyProxy> {
    const target = new URL(databaseUrl);
    const host = decodeURIComponent(target.hostname);
    const port = target.port === '' ? 5432 : Number(target.port);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
    const url = databaseUrl.replace(`@${target.host}`, `@127.0.0.1:${address.port}`);
    const proxy = new LossyProxy(server, url);
    const open = () => (host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host));
    server.on('connection', (client) => proxy.relay(client, open()));
    return proxy;
  }

  lose(count: number, statement: string): void {
    this.losses = count;
    this.statement = statement;
  }

  get isDone(): boolean {
    return this.losses === 0;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private relay(client: Socket, server: Socket): void {
    let isDoomed = false;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    client.on('data', (data) => {
      isDoomed ||= this.losses > 0 && data.includes(this.statement);
      server.write(data);
    });
    server.on('data', (data) => {
      if (!isDoomed || this.losses === 0) return client.write(data);
      // PostgreSQL answers once it has committed: what is lost is the answer alone.
      this.losses -= 1;
      return end();
    });
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
  }
}
