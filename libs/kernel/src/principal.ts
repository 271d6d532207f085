/** Roles of a namespace, weakest first: each one may do all that the ones before it may. */
export const ROLES = ['viewer', 'operator', 'maintainer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function hasAtLeast(role: Role | undefined, required: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** Who calls. */
export interface Principal {
  /** Stable identity, unique on the server; owner of what it makes. */
  readonly id: string;
  readonly displayName: string;
  readonly kind: 'local' | 'user' | 'machine' | 'anonymous';
  /** Identifies the credential in audit records; never the credential. */
  readonly tokenId: string | null;
  readonly isServerAdmin: boolean;
  /** Role by namespace; `all` = owner of every namespace that is not reserved (single-user mode, stdio). */
  readonly grants: 'all' | ReadonlyMap<string, Role>;
  /** The namespace that a bare name means, and where tasks without another one belong. */
  readonly personalNamespace: string;
  /** Unix seconds at which the credential ends; null = it does not. */
  readonly expiresAt: number | null;
}

/** A caller without credentials. Only public methods ever meet it. */
export const ANONYMOUS: Principal = {
  id: 'anonymous',
  displayName: 'anonymous',
  kind: 'anonymous',
  tokenId: null,
  isServerAdmin: false,
  grants: new Map(),
  personalNamespace: '',
  expiresAt: null,
};

/** Who caused a change, and by which call: goes to audit records, jobs and log lines. */
export interface Origin {
  readonly userIdentity: string;
  readonly tokenId: string | null;
  /** Method name as the caller wrote it; null for work the server does by itself. */
  readonly method: string | null;
  readonly correlationId: string;
}
