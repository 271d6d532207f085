import { Injectable } from '@nestjs/common';
import { Authorizer } from '@cleveragents/auth';
import { type Principal, ResourceNotFoundError, type Role } from '@cleveragents/kernel';
import type { Visibility } from './domain/entity-kind.js';

/** Who may see and change what is registered. */
@Injectable()
export class EntityAccess {
  constructor(private readonly authorizer: Authorizer) {}

  canRead(principal: Principal, entity: { readonly namespace: string; readonly visibility: Visibility }): boolean {
    return entity.visibility === 'public' || this.canSee(principal, entity.namespace);
  }

  canSee(principal: Principal, namespace: string): boolean {
    return this.authorizer.roleIn(principal, namespace) !== undefined;
  }

  /** A namespace that the caller may not see answers as one that does not exist. */
  requireRole(principal: Principal, namespace: string, role: Role): void {
    this.authorizer.requireRole(principal, namespace, role, () =>
      ResourceNotFoundError.of('Namespace', { name: namespace }),
    );
  }

  readableNamespaces({ grants, isServerAdmin }: Principal): 'all' | readonly string[] {
    return grants === 'all' || isServerAdmin ? 'all' : [...grants.keys()];
  }
}
