import { ParamsChecks, type ParamsCheck } from '@cleveragents/jsonrpc';
import type { EntityKind } from '../domain/entity-kind.js';
import { ENTITY_CATALOGUE, type EntityRow } from './entity-catalogue.js';
import type { KindBehaviour } from './kind-behaviour.js';

export interface RegisteredKind {
  readonly row: EntityRow;
  readonly behaviour: KindBehaviour;
  /** Checks a whole document of the kind: required fields, types, unknown keys. */
  readonly checkDocument: ParamsCheck;
}

/** The catalogue with its behaviours at hand. */
export class EntityKinds {
  private readonly byKind: ReadonlyMap<EntityKind, RegisteredKind>;

  /** `behaviours` in the order of the catalogue. */
  constructor(behaviours: readonly KindBehaviour[]) {
    const checks = new ParamsChecks();
    const kinds = behaviours.flatMap((behaviour, index) => {
      const row = ENTITY_CATALOGUE[index];
      return row === undefined ? [] : [{ row, behaviour, checkDocument: checks.compile(row.add, true) }];
    });
    this.byKind = new Map(kinds.map((kind) => [kind.row.kind, kind]));
  }

  of(kind: EntityKind): RegisteredKind {
    const registered = this.byKind.get(kind);
    if (registered === undefined) throw new Error(`The catalogue has no row for ${kind}`);
    return registered;
  }
}
