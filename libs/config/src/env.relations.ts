import type { EnvDto } from './env.dto.js';
import { isLoopbackHost, isUnspecifiedHost } from './loopback.js';
import { parseDuration } from './quantity.js';

const FOR_TESTS_ONLY = ['A2A_TEST_AGENT', 'A2A_ANONYMOUS', 'PUSH_ALLOW_LOOPBACK'] as const;

/** Rules that tie several variables together. Each answers the problems it sees: names and rules, never values. */
export function brokenRelations(env: EnvDto): string[] {
  return [
    ...tlsProblems(env),
    ...exposureProblems(env),
    ...productionProblems(env),
    ...leaseProblems(env),
    ...blobProblems(env),
  ];
}

function tlsProblems(env: EnvDto): string[] {
  const isHalf = (env.TLS_CERT_FILE === undefined) !== (env.TLS_KEY_FILE === undefined);
  return isHalf ? ['TLS_CERT_FILE and TLS_KEY_FILE must be set together'] : [];
}

/** Credentials and code must not travel in the clear: beyond this machine only TLS, or a proxy that ends it, will do. */
function exposureProblems(env: EnvDto): string[] {
  if (isLoopbackHost(env.HOST)) return [];
  const problems: string[] = [];
  if (env.TLS_CERT_FILE === undefined && env.TRUSTED_PROXIES === undefined) {
    problems.push('HOST is beyond loopback, which needs TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES');
  }
  if (isOn(env.A2A_ANONYMOUS)) problems.push('A2A_ANONYMOUS is refused unless HOST is loopback');
  return problems;
}

function productionProblems(env: EnvDto): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const problems = FOR_TESTS_ONLY.filter((name) => isOn(env[name])).map(
    (name) => `${name} is refused when NODE_ENV is production`,
  );
  if (env.PUBLIC_BASE_URL === undefined) {
    problems.push('PUBLIC_BASE_URL must be set when NODE_ENV is production');
  } else if (URL.canParse(env.PUBLIC_BASE_URL)) {
    const host = new URL(env.PUBLIC_BASE_URL).hostname;
    if (isLoopbackHost(host) || isUnspecifiedHost(host)) {
      problems.push('PUBLIC_BASE_URL must not be loopback or 0.0.0.0 when NODE_ENV is production');
    }
  }
  return problems;
}

/** A lease that outlives no heartbeat would be lost by a healthy runner. */
function leaseProblems(env: EnvDto): string[] {
  const lease = parseDuration(env.LEASE_SECONDS);
  const heartbeat = parseDuration(env.HEARTBEAT_SECONDS);
  if (lease === null || heartbeat === null || heartbeat * 2 <= lease) return [];
  return ['HEARTBEAT_SECONDS must be at most half of LEASE_SECONDS'];
}

function blobProblems(env: EnvDto): string[] {
  const lacksCredentials = env.AWS_ACCESS_KEY_ID === undefined || env.AWS_SECRET_ACCESS_KEY === undefined;
  if (env.BLOB_URL === undefined || !lacksCredentials) return [];
  return ['BLOB_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'];
}

export function isOn(text: string): boolean {
  return text === 'on' || text === 'true';
}
