import type { ActionSpec } from './action-spec.js';
import type { ActorSpec } from './actor-spec.js';
import type { AutomationProfileSpec } from './automation-profile-spec.js';
import type { CommonSpec } from './common-spec.js';
import type { EntityKind, Visibility } from './entity-kind.js';
import type { ProjectSpec, ValidationMode } from './project-spec.js';
import type { ResourceSpec, ResourceTypeSpec } from './resource-spec.js';
import type { ToolSpec, ValidationSpec } from './tool-spec.js';
import type { JsonObject } from '@cleveragents/kernel';

interface Specs {
  actor: ActorSpec;
  tool: ToolSpec;
  validation: ValidationSpec;
  resource: ResourceSpec;
  resource_type: ResourceTypeSpec;
  project: ProjectSpec;
  action: ActionSpec;
  automation_profile: AutomationProfileSpec;
}

export type SpecOf<K extends EntityKind> = K extends keyof Specs ? Specs[K] : CommonSpec;

/** One revision of a registered or built-in thing. */
export interface RegistryEntity<K extends EntityKind = EntityKind> {
  readonly id: string;
  readonly kind: K;
  /** Canonical: `acme/api`, `builtin/edit_file`, `git-checkout`. */
  readonly name: string;
  /** null = built in, readable by all. */
  readonly namespace: string | null;
  readonly revision: number;
  /** `sha256:` and the hash of the spec's canonical JSON. */
  readonly contentHash: string;
  readonly spec: SpecOf<K>;
  readonly source: 'built-in' | 'custom';
  readonly visibility: Visibility;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A validation that must run for a plan, with what its attachment says about it. */
export interface AttachedValidation {
  readonly validation: RegistryEntity<'validation'>;
  readonly mode: ValidationMode;
  readonly args: JsonObject;
  readonly scope: 'project' | 'resource';
  /** Canonical name of the project or resource it is attached to. */
  readonly target: string;
}
