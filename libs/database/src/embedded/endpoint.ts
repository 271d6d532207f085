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

/** A socket in a private directory, else loopback on a free port. */
export async function chooseEndpoint(placement: Placement, cluster: Cluster): Promise<Endpoint> {
  const directory = socketDirectory(placement.home, placement.identity);
  if (directory !== null) return { host: directory, port: SOCKET_PORT };
  return runningEndpoint({ host: '127.0.0.1', port: await freePort() }, cluster);
}

/** On loopback the PostgreSQL that runs, which another process may have started meanwhile, decides on the port. */
export function runningEndpoint(endpoint: Endpoint, cluster: Cluster): Endpoint {
  if (endpoint.host.startsWith('/')) return endpoint;
  return { ...endpoint, port: lockedPort(cluster.data) ?? endpoint.port };
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
