import { resolve } from 'node:path';
import { getMetadataStorage, validateSync } from 'class-validator';
import { ConfigurationError } from '@cleveragents/kernel';
import type { AppConfig, S3Config } from './app-config.js';
import { parseBlobUrl } from './blob-url.js';
import { EnvDto } from './env.dto.js';
import { brokenRelations, isOn } from './env.relations.js';
import { parseDuration, parseList, parseSize } from './quantity.js';

export interface ConfigSource {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Relative paths are taken from here. */
  readonly workingDirectory: string;
  /** A person reads the log as it is written. */
  readonly isTerminal: boolean;
}

/** Turns the environment into the frozen configuration, or throws one ConfigurationError that names every problem. */
export function readConfig(source: ConfigSource): AppConfig {
  const env = envOf(source.variables);
  const problems = [
    ...validateSync(env, { forbidUnknownValues: true }).flatMap((error) => Object.values(error.constraints ?? {})),
    ...brokenRelations(env),
    ...unavailableModes(source.variables),
  ];
  if (problems.length > 0) throw new ConfigurationError(`Invalid configuration: ${problems.join('; ')}`);
  return deepFreeze(configOf(env, source));
}

/** Names of all variables that the server reads. */
export function variableNames(): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(EnvDto, '', true, false);
  return [...new Set([...Object.keys(new EnvDto()), ...rules.map((rule) => rule.propertyName)])].sort();
}

/** A setting that would be ignored, and whose author would believe the server to be guarded by it. */
function unavailableModes({ OIDC_ISSUER }: ConfigSource['variables']): string[] {
  if (OIDC_ISSUER === undefined || OIDC_ISSUER.trim() === '') return [];
  return ['OIDC_ISSUER asks for sign-on by an identity provider, which this version does not have'];
}

function envOf(variables: ConfigSource['variables']): EnvDto {
  const env = new EnvDto();
  for (const name of variableNames()) {
    const value = variables[name]?.trim();
    if (value !== undefined && value !== '') Object.assign(env, { [name]: value });
  }
  return env;
}

function configOf(env: EnvDto, source: ConfigSource): AppConfig {
  return {
    environment: env.NODE_ENV as AppConfig['environment'],
    role: env.ROLE as AppConfig['role'],
    dataDir: resolve(source.workingDirectory, env.DATA_DIR),
    http: httpOf(env, source),
    database: { url: env.DATABASE_URL ?? null, migrateOnStart: isOn(env.MIGRATE_ON_START) },
    a2a: a2aOf(env, source),
    plan: { attentionLimitMs: duration(env.PLAN_ATTENTION_LIMIT) },
    workspace: {
      roots: env.WORKSPACE_ROOTS === undefined ? null : pathsOf(env.WORKSPACE_ROOTS, source),
      commandAllow: parseList(env.COMMAND_ALLOW).map((prefix) => prefix.split(/\s+/)),
      // The system's own variable, not a setting of ours: hence not in EnvDto.
      searchPath: source.variables.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    },
    push: { allowLoopback: isOn(env.PUSH_ALLOW_LOOPBACK) },
    encryption: { keyFile: fileOf(env.ENCRYPTION_KEY_FILE, source) },
    blob: { s3: s3Of(env) },
    engine: {
      leaseMs: duration(env.LEASE_SECONDS),
      heartbeatMs: duration(env.HEARTBEAT_SECONDS),
      sweepMs: duration(env.SWEEP_SECONDS),
      shutdownGraceMs: duration(env.SHUTDOWN_GRACE_SECONDS),
    },
    log: { level: env.LOG_LEVEL, pretty: source.isTerminal && env.NODE_ENV !== 'production' },
  };
}

function httpOf(env: EnvDto, source: ConfigSource): AppConfig['http'] {
  const isTls = env.TLS_CERT_FILE !== undefined && env.TLS_KEY_FILE !== undefined;
  return {
    host: env.HOST,
    port: Number(env.PORT),
    publicBaseUrl: env.PUBLIC_BASE_URL?.replace(/\/+$/, '') ?? null,
    bodyLimit: size(env.A2A_BODY_LIMIT),
    tls: isTls
      ? {
          certFile: resolve(source.workingDirectory, env.TLS_CERT_FILE ?? ''),
          keyFile: resolve(source.workingDirectory, env.TLS_KEY_FILE ?? ''),
        }
      : null,
    trustedProxies: parseList(env.TRUSTED_PROXIES ?? ''),
    corsOrigins: parseList(env.CORS_ORIGINS ?? ''),
    door: env.DOOR as AppConfig['http']['door'],
  };
}

function a2aOf(env: EnvDto, source: ConfigSource): AppConfig['a2a'] {
  return {
    blockingLimitMs: duration(env.A2A_BLOCKING_LIMIT),
    workingLimitMs: duration(env.A2A_WORKING_LIMIT),
    dedupeMessages: isOn(env.A2A_MESSAGE_DEDUPE),
    historyDefault: Number(env.A2A_HISTORY_DEFAULT),
    errorCodes: env.A2A_ERROR_CODES as AppConfig['a2a']['errorCodes'],
    extensionRequired: isOn(env.A2A_EXTENSION_REQUIRED),
    acpNames: isOn(env.ACP_NAMES),
    cardNeedsToken: env.AGENT_CARD_AUTH === 'required',
    cardKeyFile: fileOf(env.AGENT_CARD_KEY_FILE, source),
    testAgent: isOn(env.A2A_TEST_AGENT),
    anonymous: isOn(env.A2A_ANONYMOUS),
  };
}

/** The rules have passed: where there is a URL, it reads well and has its credentials. */
function s3Of(env: EnvDto): S3Config | null {
  const place = env.BLOB_URL === undefined ? null : parseBlobUrl(env.BLOB_URL);
  if (place === null) return null;
  return {
    ...place,
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
  };
}

function fileOf(path: string | undefined, source: ConfigSource): string | null {
  return path === undefined ? null : resolve(source.workingDirectory, path);
}

function pathsOf(list: string, source: ConfigSource): string[] {
  return parseList(list).map((path) => resolve(source.workingDirectory, path));
}

/** The rules of EnvDto have passed, so these cannot be null. */
function duration(text: string): number {
  return parseDuration(text) ?? 0;
}

function size(text: string): number {
  return parseSize(text) ?? 0;
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
