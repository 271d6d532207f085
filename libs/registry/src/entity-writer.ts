import { Injectable } from '@nestjs/common';
import { AuditLog } from '@cleveragents/audit';
import { TransactionManager } from '@cleveragents/database';
import { Clock, newUlid, type Principal, ValidationError } from '@cleveragents/kernel';
import { formatName, NamespaceService } from '@cleveragents/namespace';
import { contentHash } from './domain/content-hash.js';
import { duplicate, type EntityDraft } from './entity-drafts.js';
import { type IdempotentCall, IdempotencyRepository } from './idempotency.repository.js';
import { ReferenceCheck } from './reference-check.js';
import type { RegistryCaller } from './registry-caller.js';
import type { RegistryIdempotencyRow } from './registry-idempotency.entity.js';
import type { RegistryEntityRow } from './registry.entity.js';
import { RegistryRepository } from './registry.repository.js';

const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The call that a caller may repeat, and what it said. */
export interface RepeatableCall extends IdempotentCall {
  readonly paramsHash: string;
}

/** An entity at one of its revisions. */
export interface WrittenRevision {
  readonly entityId: string;
  readonly revision: number;
}

/** Writes entities: row, revision, references, namespace, audit record and idempotency key in one transaction. */
@Injectable()
export class EntityWriter {
  constructor(
    private readonly tx: TransactionManager,
    private readonly entities: RegistryRepository,
    private readonly idempotency: IdempotencyRepository,
    private readonly references: ReferenceCheck,
    private readonly namespaces: NamespaceService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** What an earlier call with the same key wrote; the same key for something else is refused. */
  async earlier(call: RepeatableCall): Promise<WrittenRevision | null> {
    const row = await this.idempotency.find(call, this.keysSince());
    return row === null ? null : sameParams(row, call);
  }

  async add(draft: EntityDraft, caller: RegistryCaller, call: RepeatableCall | null): Promise<WrittenRevision> {
    const row = this.newRow(draft, caller.principal);
    const written = { entityId: row.id, revision: row.revision };
    return this.tx.run(async () => {
      const holder = call === null ? written : await this.claim(call, written);
      if (holder.entityId !== written.entityId) return holder;
      await this.references.require(draft.references, caller.principal);
      await this.namespaces.ensure(row.namespace, caller.principal);
      const references = referenceRows(draft);
      if (!(await this.entities.insert({ row, changedBy: caller.principal.id, references }))) {
        throw duplicate(draft.kind, formatName(draft.name));
      }
      await this.recordChange(row, null, caller);
      return written;
    });
  }

  /** False if the entity has moved on from the revision that the change was made of. */
  async revise(before: RegistryEntityRow, draft: EntityDraft, caller: RegistryCaller): Promise<boolean> {
    const specText = JSON.stringify(draft.spec);
    const row: RegistryEntityRow = {
      ...before,
      spec: specText,
      facets: draft.facets,
      contentHash: contentHash(draft.spec),
      visibility: draft.visibility,
      revision: before.revision + 1,
      updatedAt: this.clock.now(),
    };
    return this.tx.run(async () => {
      await this.references.require(draft.references, caller.principal);
      const change = { row, changedBy: caller.principal.id, references: referenceRows(draft) };
      if (!(await this.entities.revise(change))) return false;
      await this.recordChange(row, before, caller);
      return true;
    });
  }

  private newRow(draft: EntityDraft, principal: Principal): RegistryEntityRow {
    const now = this.clock.now();
    return {
      id: newUlid(),
      kind: draft.kind,
      ...draft.name,
      spec: JSON.stringify(draft.spec),
      facets: draft.facets,
      revision: 1,
      contentHash: contentHash(draft.spec),
      visibility: draft.visibility,
      createdBy: principal.id,
      createdAt: now,
      updatedAt: now,
    };
  }

  private async claim(call: RepeatableCall, written: WrittenRevision): Promise<WrittenRevision> {
    const row = { ...call, ...written, createdAt: this.clock.now() };
    return sameParams(await this.idempotency.claim(row, this.keysSince()), call);
  }

  private keysSince(): Date {
    return new Date(this.clock.now().getTime() - KEY_LIFETIME_MS);
  }

  /** Old and new value are named by their hashes: the revisions hold them, and a spec may be large. */
  private async recordChange(
    after: RegistryEntityRow,
    before: RegistryEntityRow | null,
    { origin }: RegistryCaller,
  ): Promise<void> {
    const name = formatName(after);
    await this.audit.record({
      event: 'config_changed',
      outcome: 'ok',
      origin,
      namespace: after.namespace,
      entity: {
        kind: after.kind,
        name,
        revision_before: before?.revision ?? null,
        revision_after: after.revision,
      },
      details: { key: `${after.kind}/${name}`, old: before?.contentHash ?? null, new: after.contentHash },
    });
  }
}

function sameParams(row: RegistryIdempotencyRow, call: RepeatableCall): WrittenRevision {
  if (row.paramsHash === call.paramsHash) return row;
  throw ValidationError.of('idempotency_key', 'was used for other params', 'IDEMPOTENCY_KEY_REUSED');
}

function referenceRows({ references }: EntityDraft) {
  return references.map(({ path, kind, name }) => ({ path, targetKind: kind, targetName: name }));
}
