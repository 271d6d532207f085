import type { EntityKind, RegistryEntity, SpecOf } from '@cleveragents/registry';
import type { Frozen } from './plan-snapshot.entity.js';

export function freeze<K extends EntityKind>({ name, revision, spec }: RegistryEntity<K>): Frozen<SpecOf<K>> {
  return { name, revision, spec };
}
