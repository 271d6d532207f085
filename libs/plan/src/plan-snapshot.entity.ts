import type { JsonObject } from '@cleveragents/kernel';
import type { ActionSpec, AutomationProfileSpec, ToolActorSpec, ValidationMode } from '@cleveragents/registry';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { CommitIdentity } from './plan.entity.js';
import type { StepCorrection } from './domain/correction.js';
import type { ProfileSource } from './domain/gates.js';
import { JSON_TEXT } from './json-text.js';
import { PlanRow } from './plan.entity.js';

/** One revision of an entity, as it was when the plan was made. */
export interface Frozen<S> {
  readonly name: string;
  readonly revision: number;
  readonly spec: S;
}

/** A repository that the plan works on. */
export interface PlanTarget {
  readonly project: string;
  readonly projectNamespace: string;
  readonly resource: string;
  readonly revision: number;
  readonly path: string;
  readonly branch: string | null;
  readonly configGlobs: readonly string[];
}

export interface PlannedValidation {
  readonly name: string;
  readonly revision: number;
  readonly mode: ValidationMode;
  /** The command that it runs; passed = exit code 0. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** Index of the target whose sandbox it looks at. */
  readonly target: number;
}

/**
 * Everything a plan depends on, frozen when it is made: later changes in the registry do not reach it. Corrections of
 * the plan itself do: they change its arguments and lie over its steps.
 */
export interface PlanSnapshot {
  readonly action: Frozen<ActionSpec>;
  readonly projects: readonly { readonly name: string; readonly namespace: string; readonly revision: number }[];
  readonly targets: readonly PlanTarget[];
  readonly actors: {
    readonly strategy: Frozen<ToolActorSpec>;
    readonly execution: Frozen<ToolActorSpec>;
    readonly estimation: string | null;
  };
  readonly profile: Frozen<AutomationProfileSpec> & { readonly source: ProfileSource };
  readonly validations: readonly PlannedValidation[];
  readonly arguments: JsonObject;
  readonly author: CommitIdentity;
  /** What people corrected since: laid over the actors' own steps. */
  readonly stepCorrections?: Readonly<Record<string, StepCorrection>>;
}

@Entity({ name: 'plan_snapshot' })
export class PlanSnapshotRow {
  @PrimaryColumn({ name: 'plan_id', type: 'text' })
  @ForeignKey(() => PlanRow, { name: 'plan_snapshot_plan', onDelete: 'CASCADE' })
  planId: string;

  /** A PlanSnapshot; its type is too deep for TypeORM's own. */
  @Column({ name: 'content', type: 'text', transformer: JSON_TEXT })
  content: unknown;
}
