import { Injectable } from '@nestjs/common';
import { type FieldProblem, type Principal, ValidationError } from '@cleveragents/kernel';
import { BuiltInEntities } from './built-in/built-in-entities.js';
import { splitCanonical } from './domain/canonical-name.js';
import type { EntityReference } from './domain/entity-reference.js';
import { EntityAccess } from './entity-access.js';
import type { RegistryEntityRow } from './registry.entity.js';
import { type EntityKey, RegistryRepository } from './registry.repository.js';

/** Every name in a spec must be the name of something that its author can see. */
@Injectable()
export class ReferenceCheck {
  constructor(
    private readonly entities: RegistryRepository,
    private readonly builtIns: BuiltInEntities,
    private readonly access: EntityAccess,
  ) {}

  /** Call inside the transaction that stores the references: their targets stay until it ends. */
  async require(references: readonly EntityReference[], principal: Principal): Promise<void> {
    const custom = references.filter(({ kind, name }) => this.builtIns.find(kind, name) === undefined);
    const rows = await this.entities.findAndHold(custom.flatMap(keyOf));
    const found = new Map(rows.map((row) => [keyText(row.kind, `${row.namespace}/${row.name}`), row]));
    const problems: FieldProblem[] = [];
    for (const reference of custom) {
      const target = found.get(keyText(reference.kind, reference.name));
      if (target !== undefined && this.access.canRead(principal, target))
        this.requireRole(reference, target, principal);
      else problems.push(unresolved(reference));
    }
    if (problems.length > 0) throw new ValidationError(problems, { reason: 'UNRESOLVED_REFERENCE' });
  }

  private requireRole(reference: EntityReference, target: RegistryEntityRow, principal: Principal): void {
    const isHarmless = reference.isForWriting === true && target.facets['read_only'] === 'true';
    if (reference.role === 'viewer' || isHarmless) return;
    this.access.requireRole(principal, target.namespace, reference.role);
  }
}

function keyOf({ kind, name }: EntityReference): EntityKey[] {
  const split = splitCanonical(name);
  return split === null ? [] : [{ kind, ...split }];
}

function keyText(kind: string, canonical: string): string {
  return `${kind} ${canonical}`;
}

function unresolved({ path, kind, name }: EntityReference): FieldProblem {
  return { path, message: `names the ${kind} "${name}", which does not exist or is not visible to you` };
}
