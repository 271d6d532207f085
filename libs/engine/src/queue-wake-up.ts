import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DatabaseServer, TransactionManager } from '@cleveragents/database';
import { Client } from 'pg';

const CHANNEL = 'cleveragents_wake_up';
/** Name of the connection, for people and tools that look at the database. */
const CONNECTION = 'cleveragents wake-up';
const RECONNECT_MS = 1_000;

type Listener = (key: string | null) => void;

/**
 * Tells every process that something is worth a look, over LISTEN/NOTIFY on a connection of its own. It carries names,
 * never truth: a message may be lost, and whoever listens also looks by itself now and then.
 */
@Injectable()
export class WakeUp implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(WakeUp.name);
  private readonly listeners = new Map<string, Listener[]>();
  private client: Client | null = null;
  private isClosing = false;

  constructor(
    private readonly server: DatabaseServer,
    private readonly tx: TransactionManager,
  ) {}

  /** `listener` gets the key of every signal of the topic; null = some may have been missed. */
  on(topic: string, listener: Listener): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /** Inside a transaction it is sent by the commit and not without it. */
  async signal(topic: string, key: string): Promise<void> {
    await this.tx.manager.query('SELECT pg_notify($1, $2)', [CHANNEL, `${topic}:${key}`]);
  }

  /**
   * For signals that follow a commit, and many of them: outside of any transaction, on the channel's own connection,
   * and not waiting for the disk. Lost while that connection is down.
   */
  async signalNow(topic: string, key: string): Promise<void> {
    await this.client?.query('SELECT pg_notify($1, $2)', [CHANNEL, `${topic}:${key}`]);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
  }

  /** After whatever the shutdown still has to tell. */
  async onApplicationShutdown(): Promise<void> {
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    const options = { connectionString: this.server.url, application_name: CONNECTION, keepAlive: true };
    const client = new Client(options);
    // `end` follows every error; without a listener an error would end the process.
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => this.dispatch(payload ?? ''));
    try {
      await client.connect();
      // What is told here is durable already.
      await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    // Not earlier: an attempt that fails is tried again by whoever made it.
    client.once('end', () => void this.reconnect());
    this.client = client;
    if (this.isClosing) await client.end();
  }

  private async reconnect(): Promise<void> {
    this.client = null;
    while (!this.isClosing) {
      await delay(RECONNECT_MS, undefined, { ref: false });
      if (this.isClosing) return;
      const failure = await this.listen().catch((error: Error) => error);
      if (failure === undefined) return this.wakeAll();
      this.logger.warn(`Wake-up channel: ${failure.message}`);
    }
  }

  private wakeAll(): void {
    for (const listeners of this.listeners.values()) for (const listener of listeners) listener(null);
  }

  private dispatch(payload: string): void {
    const colon = payload.indexOf(':');
    const listeners = this.listeners.get(payload.slice(0, colon)) ?? [];
    for (const listener of listeners) listener(payload.slice(colon + 1));
  }
}
