import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, variableNames } from '@cleveragents/config';

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly networks: Readonly<Record<string, { readonly ipv4_address: string }>>;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(text) as { readonly services: Readonly<Record<'proxy' | 'server' | 'database', Service>> };
const { proxy, server, database } = compose.services;

/** What a person who deploys has to supply, as the file itself says. */
const SUPPLIED: Readonly<Record<string, string>> = {
  PUBLIC_BASE_URL: 'https://agents.example.com',
  POSTGRES_PASSWORD: 'example',
  WORKSPACE_DIR: '/srv/repositories',
};
const REQUIRED_VARIABLE = /\$\{(\w+):\?[^}]+\}/g;

function supplied(value: string): string {
  return value.replace(REQUIRED_VARIABLE, (_, name: string) => SUPPLIED[name] ?? '');
}

describe('docker-compose.yml', () => {
  it('is a compose file by the schema of the compose specification', () => {
    const { $schema: _dialect, ...schema } = JSON.parse(
      readFileSync('test/contract/schemas/compose-spec.json', 'utf8'),
    );
    const ajv = new Ajv({ strict: false, allErrors: true });
    const isValid = ajv.compile(schema);
    isValid(compose);
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('gives the server settings that it knows', () => {
    expect(variableNames()).toEqual(expect.arrayContaining(Object.keys(server.environment)));
  });

  it('gives the server a configuration that it accepts', () => {
    const variables = Object.fromEntries(
      Object.entries(server.environment).map(([name, value]) => [name, supplied(value)]),
    );
    const config = readConfig({ variables, workingDirectory: '/app', isTerminal: false });
    expect(config.environment).toBe('production');
    expect(config.http.publicBaseUrl).toBe('https://agents.example.com');
    expect(config.database.url).toBe('postgres://cleveragents:example@database:5432/cleveragents');
  });

  it('has the server trust the address of the proxy and no other', () => {
    expect(server.environment.TRUSTED_PROXIES).toBe(proxy.networks.front?.ipv4_address);
  });

  it('has the server keep its data and see the repositories where the volumes are', () => {
    const targets = server.volumes.map((volume) => volume.slice(volume.lastIndexOf(':') + 1));
    expect(targets).toEqual([server.environment.DATA_DIR, server.environment.WORKSPACE_ROOTS]);
  });

  it('mounts a proxy configuration that exists', () => {
    const [source = ''] = proxy.volumes[0]?.split(':') ?? [];
    expect(existsSync(source)).toBe(true);
  });

  it('asks for every variable, and for no more than its comment names', () => {
    const variables = [...text.matchAll(/\$\{?(\w+)/g)].map((match) => match[1]);
    const required = [...text.matchAll(REQUIRED_VARIABLE)].map((match) => match[1]);
    expect(variables).toEqual(required);
    expect(new Set(variables)).toEqual(new Set(Object.keys(SUPPLIED)));
  });

  it('holds no secret', () => {
    const secrets = [proxy, server, database]
      .flatMap(({ environment }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET|TOKEN|KEY/.test(name));
    expect(secrets.map(([, value]) => supplied(value))).toEqual(['example']);
    expect(text).not.toMatch(/:\/\/\w+:(?!\$\{)/);
  });
});

describe('Dockerfile', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');

  it('runs the server as an unprivileged user', () => {
    const users = [...dockerfile.matchAll(/^USER (\w+)$/gm)].map((match) => match[1]);
    expect(users).toEqual(['node']);
  });

  it('sets no variable that the server does not know', () => {
    const [, settings = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
    expect(variableNames()).toEqual(expect.arrayContaining(settings.split(' ').map((pair) => pair.split('=')[0])));
  });

  it('asks the liveness probe', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n.*\/live/m);
  });
});
