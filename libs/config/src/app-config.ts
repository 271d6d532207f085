/** Everything the environment may say, read once, validated and frozen. Durations in milliseconds, sizes in bytes. */
export interface AppConfig {
  readonly environment: 'production' | 'development' | 'test';
  readonly role: 'all' | 'api' | 'worker';
  /** Absolute path; holds the embedded database, sandboxes, blobs and the token file. */
  readonly dataDir: string;
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** What the card advertises, verbatim and without a trailing slash; null = derived from host and port. */
    readonly publicBaseUrl: string | null;
    readonly bodyLimit: number;
    readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
    readonly trustedProxies: readonly string[];
    readonly corsOrigins: readonly string[];
    /** `front` = the small door beside Express (default), `express` = Nest's ordinary route. */
    readonly door: 'front' | 'express';
  };
  readonly database: {
    /** null = the embedded PostgreSQL in `dataDir`. */
    readonly url: string | null;
    readonly migrateOnStart: boolean;
  };
  readonly a2a: {
    readonly blockingLimitMs: number;
    readonly workingLimitMs: number;
    readonly dedupeMessages: boolean;
    readonly historyDefault: number;
    readonly errorCodes: 'a2a' | 'reference';
    readonly extensionRequired: boolean;
    readonly acpNames: boolean;
    readonly cardNeedsToken: boolean;
    /** PEM file of the private key that signs the agent cards; null = they are not signed. */
    readonly cardKeyFile: string | null;
    readonly testAgent: boolean;
    readonly anonymous: boolean;
  };
  readonly plan: { readonly attentionLimitMs: number };
  readonly workspace: {
    /** Directories a resource may lie in; null = anywhere the server's user may read. */
    readonly roots: readonly string[] | null;
    /** Argument-vector prefixes that command tools and validations may run. */
    readonly commandAllow: readonly (readonly string[])[];
    /** Where git and those commands are looked up: PATH, the one variable that they inherit. */
    readonly searchPath: string;
  };
  /** Calls to addresses that a client named. */
  readonly push: {
    /** Tests only: webhooks over plain HTTP and on this machine. */
    readonly allowLoopback: boolean;
  };
  /** Of what the database keeps of others' secrets. */
  readonly encryption: {
    /** Absolute path; null = a key that the server makes in `dataDir`. */
    readonly keyFile: string | null;
  };
  readonly blob: {
    /** Where large artifacts go; null = the file system, in `dataDir`. */
    readonly s3: S3Config | null;
  };
  readonly engine: {
    readonly leaseMs: number;
    readonly heartbeatMs: number;
    readonly sweepMs: number;
    readonly shutdownGraceMs: number;
  };
  readonly log: { readonly level: string; readonly pretty: boolean };
}

/** A bucket of S3 or of a service that speaks its protocol. */
export interface S3Config {
  /** Base URL of the service, without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Injection token of the AppConfig. */
export const APP_CONFIG = Symbol('APP_CONFIG');
