import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lastLine, postgresEnvironment, type Cluster } from './cluster.js';
import type { Placement } from './placement.js';
import { commandLine } from './process-identity.js';
import type { Endpoint } from './endpoint.js';

const LOG_LIMIT = 8 * 1024 * 1024;

/** A PostgreSQL that was started here. `failure` tells why it ended, null while it runs. */
export interface Postmaster {
  failure(): string | null;
}

/**
 * Starts PostgreSQL in a process session of its own: a Ctrl-C or a signal to the process group must not reach it
 * before the server has drained. It writes to a file, so it depends on nothing of this process.
 */
export function launchPostmaster(
  placement: Placement,
  cluster: Cluster,
  endpoint: Endpoint,
  settings: Readonly<Record<string, string>>,
): Postmaster {
  const logFile = join(placement.home, 'postgres.log');
  keepLogSmall(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const options = Object.entries({ ...serverSettings(endpoint), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const command = commandLine(placement.identity, placement.binaries.postgres, ['-D', cluster.data, ...options]);
  const child = spawn(command.file, command.args, {
    uid: command.uid,
    gid: command.gid,
    cwd: '/',
    env: postgresEnvironment(),
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  child.unref();
  let failure: string | null = null;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, signal) => {
    failure = lastLine(logSince(logFile, logStart)) || `it ended with ${signal ?? `code ${code}`}`;
  });
  return { failure: () => failure };
}

/** Empty when the log is gone: whoever removes a data directory removes it too. */
function logSince(logFile: string, start: number): string {
  try {
    return readFileSync(logFile, 'utf8').slice(start);
  } catch {
    return '';
  }
}

/** The log names neither statements nor their values: those are the users' data. */
function serverSettings(endpoint: Endpoint): Record<string, string> {
  const network = endpoint.host.startsWith('/')
    ? { listen_addresses: '', unix_socket_directories: endpoint.host }
    : { listen_addresses: endpoint.host, unix_socket_directories: '' };
  return {
    ...network,
    port: String(endpoint.port),
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
}

function keepLogSmall(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`);
}
