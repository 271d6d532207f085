import { createServer } from 'node:net';
import { DATABASE_USER, type Cluster } from './cluster.js';
import type { Placement } from './placement.js';
import { lockedPort } from './postmaster-lock.js';
import { SOCKET_PORT, socketDirectory } from './socket-directory.js';

/** Where PostgreSQL listens; a `host` that begins with a slash is the directory of its socket. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A socket in a private directory, else loopback: on the port of the PostgreSQL that runs already, else a free one. */
export async function chooseEndpoint(placement: Placement, cluster: Cluster): Promise<Endpoint> {
  const directory = socketDirectory(placement.home, placement.identity);
  if (directory !== null) return { host: directory, port: SOCKET_PORT };
  return { host: '127.0.0.1', port: lockedPort(cluster.data) ?? (await freePort()) };
}

export function urlOf(endpoint: Endpoint, password: string, database: string): string {
  const host = encodeURIComponent(endpoint.host);
  return `postgresql://${DATABASE_USER}:${password}@${host}:${endpoint.port}/${database}?sslmode=disable`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1');
  return address.port;
}
