import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { EnvDto } from './env.dto.js';
import { PRODUCT_VERSION } from './product-version.js';
import { readConfig, variableNames } from './read-config.js';

function read(variables: Record<string, string>) {
  return readConfig({ variables, workingDirectory: '/srv', isTerminal: false });
}

function problemOf(variables: Record<string, string>): string {
  try {
    read(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfig', () => {
  it('works without any variable, on loopback and with the embedded database', () => {
    const config = read({});
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 3000, publicBaseUrl: null, bodyLimit: 10_485_760 });
    expect(config.dataDir).toBe('/srv/.data');
    expect(config.database).toEqual({ url: null, migrateOnStart: false });
    expect(config.a2a).toMatchObject({ blockingLimitMs: 55_000, historyDefault: 50, errorCodes: 'a2a' });
    expect(config.engine).toEqual({ leaseMs: 15_000, heartbeatMs: 3000, sweepMs: 5000, shutdownGraceMs: 20_000 });
    expect(config.workspace.roots).toBeNull();
    expect(config.workspace.commandAllow).toContainEqual(['npm', 'test']);
  });

  it('reads durations, sizes and lists', () => {
    const config = read({
      A2A_BLOCKING_LIMIT: '500ms',
      LEASE_SECONDS: '1m',
      A2A_BODY_LIMIT: '1MiB',
      CORS_ORIGINS: 'https://a.example, https://b.example',
      WORKSPACE_ROOTS: 'work,/data',
      COMMAND_ALLOW: 'node, npm test',
    });
    expect(config.a2a.blockingLimitMs).toBe(500);
    expect(config.engine.leaseMs).toBe(60_000);
    expect(config.http.bodyLimit).toBe(1_048_576);
    expect(config.http.corsOrigins).toEqual(['https://a.example', 'https://b.example']);
    expect(config.workspace.roots).toEqual(['/srv/work', '/data']);
    expect(config.workspace.commandAllow).toEqual([['node'], ['npm', 'test']]);
  });

  it('treats an empty variable as not set', () => {
    expect(read({ DATABASE_URL: '', PORT: ' ' })).toMatchObject({ database: { url: null }, http: { port: 3000 } });
  });

  it('is frozen at every depth', () => {
    const config = read({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.http)).toBe(true);
    expect(Object.isFrozen(config.workspace.commandAllow)).toBe(true);
  });

  it('names every problem at once', () => {
    const problem = problemOf({ PORT: '70000', LOG_LEVEL: 'loud', A2A_BODY_LIMIT: 'big', TLS_CERT_FILE: 'c.pem' });
    for (const name of ['PORT', 'LOG_LEVEL', 'A2A_BODY_LIMIT', 'TLS_KEY_FILE']) expect(problem).toContain(name);
  });

  it('never repeats a value, which may be a secret', () => {
    const problem = problemOf({ DATABASE_URL: 'mysql://u:hunter2@h/d', PUBLIC_BASE_URL: 'hunter2', PORT: 'hunter2' });
    expect(problem).not.toContain('hunter2');
  });

  it('refuses to listen beyond loopback with neither TLS nor a trusted proxy, and names both', () => {
    const problem = problemOf({ HOST: '0.0.0.0' });
    expect(problem).toContain('TLS_CERT_FILE');
    expect(problem).toContain('TRUSTED_PROXIES');
    expect(read({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' }).http.trustedProxies).toEqual(['10.0.0.0/8']);
    expect(read({ HOST: '::1' }).http.host).toBe('::1');
  });

  it.each(['A2A_TEST_AGENT', 'A2A_ANONYMOUS', 'PUSH_ALLOW_LOOPBACK'])('refuses %s in production', (name) => {
    const production = { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://agents.example.com' };
    expect(problemOf({ ...production, [name]: 'on' })).toContain(name);
    expect(read(production).environment).toBe('production');
  });

  it('refuses callers without a token beyond loopback', () => {
    expect(problemOf({ HOST: '10.1.1.1', TRUSTED_PROXIES: '10.1.1.2', A2A_ANONYMOUS: 'on' })).toContain(
      'A2A_ANONYMOUS',
    );
  });

  it('demands a base URL that others can reach in production', () => {
    expect(problemOf({ NODE_ENV: 'production' })).toContain('PUBLIC_BASE_URL');
    for (const url of ['http://localhost:3000', 'https://127.0.0.1', 'http://0.0.0.0:3000', 'http://[::1]']) {
      expect(problemOf({ NODE_ENV: 'production', PUBLIC_BASE_URL: url })).toContain('PUBLIC_BASE_URL');
    }
  });

  it('keeps the base URL verbatim but for a trailing slash', () => {
    expect(read({ PUBLIC_BASE_URL: 'https://h.example/base/' }).http.publicBaseUrl).toBe('https://h.example/base');
  });

  it('keeps large artifacts in the file system unless a bucket is named', () => {
    expect(read({}).blob).toEqual({ s3: null });
    const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(read({ BLOB_URL: 's3://outputs/team/a?region=eu-west-3', ...credentials }).blob.s3).toEqual({
      endpoint: 'https://s3.eu-west-3.amazonaws.com',
      region: 'eu-west-3',
      bucket: 'outputs',
      prefix: 'team/a/',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    expect(read({ BLOB_URL: 's3://outputs?endpoint=http://127.0.0.1:9000/', ...credentials }).blob.s3).toMatchObject({
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
      prefix: '',
    });
  });

  it('refuses a bucket without credentials, and names them', () => {
    const problem = problemOf({ BLOB_URL: 's3://outputs', AWS_ACCESS_KEY_ID: 'id' });
    expect(problem).toContain('AWS_SECRET_ACCESS_KEY');
  });

  it.each([
    'https://bucket.example',
    's3://',
    's3://UPPER_bucket',
    's3://id:secret@bucket',
    's3://bucket?endpoint=ftp://h',
    's3://bucket?endpoint=https://u:p@h',
    's3://bucket?region=',
    's3://bucket?acl=public',
    's3://bucket/a/../b%2f',
    's3://bucket#fragment',
  ])('refuses the malformed BLOB_URL %s', (url) => {
    const problem = problemOf({ BLOB_URL: url, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' });
    expect(problem).toContain('BLOB_URL');
  });

  it('refuses a heartbeat that a lease does not outlive', () => {
    expect(problemOf({ LEASE_SECONDS: '4', HEARTBEAT_SECONDS: '3' })).toContain('HEARTBEAT_SECONDS');
  });

  it('refuses to pass for a guarded server when sign-on is asked for', () => {
    expect(problemOf({ OIDC_ISSUER: 'https://id.example' })).toContain('OIDC_ISSUER');
  });
});

describe('.env.example', () => {
  const example = parseEnv(readFileSync('.env.example', 'utf8'));

  it('lists exactly the variables that the server reads', () => {
    expect(Object.keys(example).sort()).toEqual(variableNames());
  });

  it('shows the defaults', () => {
    for (const [name, value] of Object.entries(new EnvDto())) expect(example[name], name).toBe(value);
  });
});

describe('PRODUCT_VERSION', () => {
  it('is the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(PRODUCT_VERSION).toBe(version);
  });
});
