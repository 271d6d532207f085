import { Injectable } from '@nestjs/common';
import { AuthorizationError, hasAtLeast, type Principal, type Role } from '@cleveragents/kernel';

/** Names that belong to nobody, so that nothing can be registered under them. */
const RESERVED_NAMESPACES: ReadonlySet<string> = new Set(['system', 'internal', 'admin', 'root']);

export function isReservedNamespace(namespace: string): boolean {
  return RESERVED_NAMESPACES.has(namespace);
}

/** Who may do what in which namespace. */
@Injectable()
export class Authorizer {
  /** The caller's role in a namespace; undefined = the caller may not even know that it exists. */
  roleIn(principal: Principal, namespace: string): Role | undefined {
    if (isReservedNamespace(namespace)) return undefined;
    if (principal.grants === 'all' || principal.isServerAdmin) return 'owner';
    return principal.grants.get(namespace);
  }

  /** Refuses a caller without the role: as if the thing did not exist where the caller may not see its namespace. */
  requireRole(principal: Principal, namespace: string, role: Role, notFound: () => Error): void {
    const held = this.roleIn(principal, namespace);
    if (held === undefined) throw notFound();
    if (!hasAtLeast(held, role)) {
      throw new AuthorizationError(`Role ${role} is needed in namespace ${namespace}`, {
        required_role: role,
        namespace,
      });
    }
  }
}
