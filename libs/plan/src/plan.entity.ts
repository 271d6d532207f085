import type { JsonObject, Origin } from '@cleveragents/kernel';
import type { Dialect, TaskState } from '@cleveragents/protocol';
import type { MergeResult, Sandbox } from '@cleveragents/workspace';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { GateOverrides } from './domain/gates.js';
import type { AwaitingKind, Phase, PlanState } from './domain/plan-state.js';
import { JSON_TEXT } from './json-text.js';

/** What a person is asked. */
export interface Awaiting {
  readonly kind: AwaitingKind;
  readonly prompt: string;
  readonly decisionId: string | null;
  /** Of a tool approval: the step that waits, in which target. */
  readonly step: { readonly id: string; readonly target: number } | null;
  /** RFC 3339. */
  readonly since: string;
}

export interface PlanFailure {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly tool: string | null;
  readonly step: string | null;
  /** Last checkpoint: where another try begins. */
  readonly checkpoint: string | null;
  readonly details: JsonObject;
}

export interface Changeset {
  /** Of the whole; with one target that target's own. */
  readonly hash: string;
  /** One per target, as the merge checks them. */
  readonly targets: readonly string[];
  readonly files: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
}

export interface ApplyRequest {
  readonly message: string | null;
  readonly allowEmpty: boolean;
  readonly targetBranch: string | null;
  readonly author: CommitIdentity;
}

/** Who stands in the commits of a plan. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface ApplyOutcome {
  readonly appliedAt: string;
  readonly merges: readonly MergeResult[];
  /** Set once the apply was undone. */
  readonly reversal?: Reversal;
}

export interface Reversal {
  readonly at: string;
  readonly by: string;
  /** One commit for each merge that had changed its target. */
  readonly commits: readonly MergeResult[];
}

export interface Cancellation {
  readonly reason: string;
  readonly at: string;
  readonly by: string;
  readonly filesModified: number;
}

/** What the plan will do, by its strategy actor; fixed for one attempt. */
export interface ChosenStrategy {
  readonly id: string;
  readonly title: string;
  readonly confidence: number;
  /** Ids of the execution actor's steps; empty = the strategy only says what is to be done. */
  readonly steps: readonly { readonly id: string; readonly decisionId: string }[];
}

@Entity({ name: 'plan' })
@Index('plan_created_by_key', ['createdBy', 'idempotencyKey'], { unique: true, where: 'idempotency_key IS NOT NULL' })
@Index('plan_namespace', ['namespace', 'id'])
@Index('plan_context', ['contextId', 'id'])
@Index('plan_lease', ['leaseOwner'], { where: 'lease_owner IS NOT NULL' })
@Index('plan_resting', ['restingSince'], { where: 'resting_since IS NOT NULL' })
@Index('plan_due', ['updatedAt'], { where: "state = 'queued' AND awaiting IS NULL" })
@Index('plan_kept_sandbox', ['endedAt'], { where: "state = 'cancelled' AND is_sandbox_kept" })
export class PlanRow {
  @PrimaryColumn({ name: 'id', type: 'text' })
  id: string;

  /** `acme/exclaim-01kba7q2`, for people. */
  @Column({ name: 'name', type: 'text' })
  name: string;

  /** Of the first project; the plan's task lives in it too. */
  @Column({ name: 'namespace', type: 'text' })
  namespace: string;

  /** Of all projects: a caller needs its role in each of them. */
  @Column({ name: 'namespaces', type: 'text', array: true })
  namespaces: string[];

  @Column({ name: 'created_by', type: 'text' })
  createdBy: string;

  @Column({ name: 'idempotency_key', type: 'text', nullable: true })
  idempotencyKey: string | null;

  @Column({ name: 'request_hash', type: 'text', nullable: true })
  requestHash: string | null;

  @Column({ name: 'action', type: 'text' })
  action: string;

  @Column({ name: 'project', type: 'text' })
  project: string;

  @Column({ name: 'profile', type: 'text' })
  profile: string;

  @Column({ name: 'phase', type: 'text' })
  phase: Phase;

  @Column({ name: 'state', type: 'text' })
  state: PlanState;

  /** Grows with every change of the row. */
  @Column({ name: 'version', type: 'integer' })
  version: number;

  /** Grows when the plan starts over. */
  @Column({ name: 'attempt', type: 'integer' })
  attempt: number;

  @Column({ name: 'is_read_only', type: 'boolean' })
  isReadOnly: boolean;

  /** Nobody is there to answer. */
  @Column({ name: 'is_unattended', type: 'boolean' })
  isUnattended: boolean;

  /** An apply gate that stands open still needs a creator who may apply. */
  @Column({ name: 'may_creator_apply', type: 'boolean' })
  mayCreatorApply: boolean;

  @Column({ name: 'is_recoverable', type: 'boolean' })
  isRecoverable: boolean;

  /** The target is about to move or has moved: the plan can no longer be cancelled. */
  @Column({ name: 'is_committed', type: 'boolean' })
  isCommitted: boolean;

  /** The sandboxes are to be made anew on the targets' present heads. */
  @Column({ name: 'is_rebase_due', type: 'boolean' })
  isRebaseDue: boolean;

  @Column({ name: 'is_attention_over', type: 'boolean' })
  isAttentionOver: boolean;

  /** What was done so far is still there to go on from. */
  @Column({ name: 'is_sandbox_kept', type: 'boolean' })
  isSandboxKept: boolean;

  @Column({ name: 'awaiting', type: 'text', nullable: true, transformer: JSON_TEXT })
  awaiting: Awaiting | null;

  @Column({ name: 'gate_overrides', type: 'text', transformer: JSON_TEXT })
  gateOverrides: GateOverrides;

  @Column({ name: 'failure', type: 'text', nullable: true, transformer: JSON_TEXT })
  failure: PlanFailure | null;

  @Column({ name: 'strategy', type: 'text', nullable: true, transformer: JSON_TEXT })
  strategy: ChosenStrategy | null;

  /** One per target, in the order of the snapshot's targets; empty before execute. */
  @Column({ name: 'sandboxes', type: 'text', transformer: JSON_TEXT })
  sandboxes: readonly Sandbox[];

  @Column({ name: 'changeset', type: 'text', nullable: true, transformer: JSON_TEXT })
  changeset: Changeset | null;

  @Column({ name: 'apply_request', type: 'text', nullable: true, transformer: JSON_TEXT })
  applyRequest: ApplyRequest | null;

  @Column({ name: 'apply_outcome', type: 'text', nullable: true, transformer: JSON_TEXT })
  applyOutcome: ApplyOutcome | null;

  @Column({ name: 'cancellation', type: 'text', nullable: true, transformer: JSON_TEXT })
  cancellation: Cancellation | null;

  /** Who caused the work that is due; its method is null for what starts by itself. */
  @Column({ name: 'run_origin', type: 'text', transformer: JSON_TEXT })
  runOrigin: Origin;

  /** Generation of A2A that the plan's tasks are born in. */
  @Column({ name: 'dialect', type: 'text' })
  dialect: Dialect;

  @Column({ name: 'context_id', type: 'text' })
  contextId: string;

  /** The present task; the former ones are in plan_task. */
  @Column({ name: 'task_id', type: 'text' })
  taskId: string;

  @Column({ name: 'task_state', type: 'text' })
  taskState: TaskState;

  @Column({ name: 'decision_count', type: 'integer' })
  decisionCount: number;

  @Column({ name: 'tool_calls', type: 'integer' })
  toolCalls: number;

  /** The process that works on the plan, named by its own lease: where that ends, the plan is free again. */
  @Column({ name: 'lease_owner', type: 'text', nullable: true })
  leaseOwner: string | null;

  /** Grows with every lease: a worker that lost its own can no longer write. */
  @Column({ name: 'fence', type: 'integer' })
  fence: number;

  /** Since when the plan waits for a person; null while it does not. */
  @Column({ name: 'resting_since', type: 'timestamptz', nullable: true })
  restingSince: Date | null;

  @Column({ name: 'started_at', type: 'timestamptz', nullable: true })
  startedAt: Date | null;

  /** When the present run of the phase began. */
  @Column({ name: 'phase_started_at', type: 'timestamptz', nullable: true })
  phaseStartedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
