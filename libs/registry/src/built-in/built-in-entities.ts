import { Injectable } from '@nestjs/common';
import { ToolRuntime, type ToolDefinition } from '@cleveragents/tool';
import type { CommonSpec } from '../domain/common-spec.js';
import { contentHash } from '../domain/content-hash.js';
import type { EntityKind } from '../domain/entity-kind.js';
import type { RegistryEntity, SpecOf } from '../domain/registry-entity.js';
import type { ToolSpec } from '../domain/tool-spec.js';
import { BUILT_IN_ACTORS } from './actors.js';
import { BUILT_IN_PROFILES } from './automation-profiles.js';
import { BUILT_IN_RESOURCE_TYPES } from './resource-types.js';
import { BUILT_IN_VALIDATIONS } from './validations.js';

/** Built-in entities are as old as the product, not as the process that shows them. */
const SINCE = new Date('2026-01-01T00:00:00.000Z');
const TOOL_TIMEOUT_S = 300;

/** What every server has without registering it: code, never rows; readable by all, changed by nobody. */
@Injectable()
export class BuiltInEntities {
  private readonly byKind: ReadonlyMap<EntityKind, ReadonlyMap<string, RegistryEntity>>;

  constructor(tools: ToolRuntime) {
    this.byKind = new Map<EntityKind, ReadonlyMap<string, RegistryEntity>>([
      entitiesOf('actor', BUILT_IN_ACTORS),
      entitiesOf('automation_profile', BUILT_IN_PROFILES),
      entitiesOf('resource_type', BUILT_IN_RESOURCE_TYPES),
      entitiesOf('validation', BUILT_IN_VALIDATIONS),
      entitiesOf('tool', new Map(tools.list().map((tool) => [tool.name, toolSpec(tool)]))),
    ]);
  }

  find<K extends EntityKind>(kind: K, canonicalName: string): RegistryEntity<K> | undefined {
    return this.byKind.get(kind)?.get(canonicalName) as RegistryEntity<K> | undefined;
  }

  /** All of a kind, in the order of their names. */
  list<K extends EntityKind>(kind: K): readonly RegistryEntity<K>[] {
    const entities = [...(this.byKind.get(kind)?.values() ?? [])] as unknown as RegistryEntity<K>[];
    return entities.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function entitiesOf<K extends EntityKind>(
  kind: K,
  specs: ReadonlyMap<string, SpecOf<K> & CommonSpec>,
): [K, ReadonlyMap<string, RegistryEntity>] {
  const entities = [...specs].map(([name, spec]) => [name, builtIn(kind, name, spec)] as const);
  return [kind, new Map<string, RegistryEntity>(entities as (readonly [string, RegistryEntity])[])];
}

function builtIn<K extends EntityKind>(kind: K, name: string, spec: SpecOf<K>): RegistryEntity<K> {
  return {
    id: `${kind}:${name}`,
    kind,
    name,
    namespace: null,
    revision: 1,
    contentHash: contentHash(spec),
    spec,
    source: 'built-in',
    visibility: 'public',
    createdBy: 'system',
    createdAt: SINCE,
    updatedAt: SINCE,
  };
}

function toolSpec({ name, description, inputSchema, outputSchema, capabilities }: ToolDefinition): ToolSpec {
  return {
    description,
    source: 'builtin',
    input_schema: inputSchema,
    ...(outputSchema === undefined ? {} : { output_schema: outputSchema }),
    writes: capabilities.writes,
    read_only: capabilities.isReadOnly,
    checkpointable: capabilities.writes,
    unsafe: capabilities.isUnsafe,
    network: capabilities.network,
    installs: capabilities.installs,
    timeout: TOOL_TIMEOUT_S,
    implementation: { kind: 'builtin', ref: name.slice(name.indexOf('/') + 1) },
  };
}
