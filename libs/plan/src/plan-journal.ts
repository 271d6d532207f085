import { Injectable } from '@nestjs/common';
import { AuditLog } from '@cleveragents/audit';
import { Clock, newUlid, type JsonObject, type Origin } from '@cleveragents/kernel';
import { isTerminal, type Artifact, type Message } from '@cleveragents/protocol';
import { TaskJournal, type TaskChange } from '@cleveragents/task';
import type { Decision } from './domain/decision-tree.js';
import { isTerminalStage, nextStage, phaseOf, stateOf, type Trigger } from './domain/plan-state.js';
import { statusMessage } from './plan-messages.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { situationOf, stageOfPlan } from './plan-situation.js';
import { PlanRepository, type PlanPatch } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';
import { needsNewTask, taskStateOf, type MappedPlan } from './task-mapping.js';

/** A decision before it has its place in the plan. `id` lets decisions of one change refer to each other. */
export type DecisionDraft = Pick<Decision, 'id' | 'parentId' | 'type' | 'question' | 'chosen' | 'actor'> &
  Partial<Decision>;

export interface PlanChange {
  readonly patch?: PlanPatch;
  readonly decisions?: readonly DecisionDraft[];
  /** What the client is to see besides the status. */
  readonly artifacts?: readonly Artifact[];
  /** Entries of the task's history. */
  readonly messages?: readonly Message[];
  /** Tells the status again although the plan stays where it is. */
  readonly isAnnounced?: boolean;
  /** Begins a new task in the same context although the plan is over. */
  readonly isNewRun?: boolean;
  /** Told with the status, for people. */
  readonly text?: string;
  readonly reason?: string;
}

export interface PlanFact {
  readonly event: string;
  readonly outcome?: 'ok' | 'failed';
  readonly details?: JsonObject;
}

/**
 * The only writer of plans. A change of a plan, its decisions, the events of its task and its audit records belong to
 * one transaction, which the caller opens, locking the plan first.
 */
@Injectable()
export class PlanJournal {
  constructor(
    private readonly plans: PlanRepository,
    private readonly records: PlanRecordRepository,
    private readonly tasks: TaskJournal,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Takes the plan to the stage that the trigger leads to, or refuses. */
  async move(plan: PlanRow, trigger: Trigger, origin: Origin, change: PlanChange = {}): Promise<PlanRow> {
    const stage = nextStage(situationOf(plan), trigger);
    const place = { phase: phaseOf(stage), state: stateOf(stage), isAttentionOver: false };
    const moved = { ...plan, ...change.patch, ...place };
    return this.write(plan, moved, origin, change, trigger !== 'progress');
  }

  /** Changes what belongs to the plan while it stays where it is. */
  async amend(plan: PlanRow, origin: Origin, change: PlanChange): Promise<PlanRow> {
    return this.write(plan, { ...plan, ...change.patch }, origin, change, change.isAnnounced ?? false);
  }

  async record(plan: PlanRow, origin: Origin, { event, outcome = 'ok', details = {} }: PlanFact): Promise<void> {
    const { id: planId, taskId, contextId, namespace } = plan;
    await this.audit.record({ event, outcome, origin, namespace, planId, taskId, contextId, details });
  }

  private async write(
    before: PlanRow,
    moved: PlanRow,
    origin: Origin,
    change: PlanChange,
    isAnnounced: boolean,
  ): Promise<PlanRow> {
    const { taskId, taskState } = await this.taskFor(before, moved, origin, change.isNewRun ?? false);
    const decisions = this.numbered(moved, change.decisions ?? []);
    const settled = { ...moved, taskId, taskState, decisionCount: moved.decisionCount + decisions.length };
    const after = this.withTimes(settled);
    if (!(await this.plans.update(before.id, before.version, differences(before, after)))) {
      throw new Error(`Plan ${before.id} was changed without its lock`);
    }
    await this.records.addDecisions(decisions);
    // A task that is over takes nothing more, whatever else befalls its plan.
    const isOver = taskId === before.taskId && isTerminal(before.taskState);
    const changes = isOver ? [] : changesOf(after, change, isAnnounced || before.taskState !== taskState);
    if (changes.length > 0) await this.tasks.append(taskId, changes, origin);
    return { ...after, version: before.version + 1 };
  }

  private async taskFor(
    before: PlanRow,
    moved: PlanRow,
    origin: Origin,
    isNewRun: boolean,
  ): Promise<Pick<PlanRow, 'taskId' | 'taskState'>> {
    const mapped = asMapped(moved);
    if (!isNewRun && !needsNewTask(mapped)) {
      const taskState = isTerminal(before.taskState) ? before.taskState : taskStateOf(mapped);
      return { taskId: before.taskId, taskState };
    }
    const taskId = await this.tasks.create(taskOf(moved, { referenceTaskIds: [before.taskId] }), origin);
    await this.plans.addTask(moved.id, taskId);
    return { taskId, taskState: taskStateOf({ ...mapped, taskState: null }) };
  }

  private numbered(plan: PlanRow, drafts: readonly DecisionDraft[]): Decision[] {
    return drafts.map((draft, index) => ({
      ...BLANK_DECISION,
      phase: plan.phase,
      ...draft,
      planId: plan.id,
      attempt: plan.attempt,
      sequence: plan.decisionCount + index + 1,
      createdAt: this.clock.now(),
    }));
  }

  private withTimes(plan: PlanRow): PlanRow {
    const now = this.clock.now();
    const isResting = plan.taskState === 'TASK_STATE_INPUT_REQUIRED';
    const isOver = isTerminalStage(stageOfPlan(plan));
    return {
      ...plan,
      updatedAt: now,
      restingSince: isResting ? (plan.restingSince ?? now) : null,
      endedAt: isOver ? (plan.endedAt ?? now) : null,
      leaseOwner: plan.state === 'processing' ? plan.leaseOwner : null,
    };
  }
}

const BLANK_DECISION = {
  alternatives: [],
  confidence: null,
  rationale: '',
  contextSnapshot: { items: [], hotContextHash: null },
  influences: [],
  checkpointBefore: null,
  artifacts: [],
  stepId: null,
  childPlanId: null,
  isSuperseded: false,
  supersededBy: null,
  corrects: null,
  correction: null,
} as const;

function asMapped(plan: PlanRow): MappedPlan {
  const { isRecoverable, isReadOnly, isUnattended, isAttentionOver, taskState } = plan;
  const awaiting = plan.awaiting?.kind ?? null;
  return { stage: stageOfPlan(plan), awaiting, isRecoverable, isReadOnly, isUnattended, isAttentionOver, taskState };
}

/** Every further message of a plan's task comes to the executor of this name. */
export const PLAN_EXECUTOR = 'plan';

export function taskOf(
  plan: Pick<PlanRow, 'id' | 'action' | 'createdBy' | 'namespace' | 'contextId' | 'dialect'>,
  metadata: JsonObject = {},
): Parameters<TaskJournal['create']>[0] {
  return {
    owner: plan.createdBy,
    namespace: plan.namespace,
    contextId: plan.contextId,
    dialect: plan.dialect,
    executor: PLAN_EXECUTOR,
    messages: [],
    metadata: { plan_id: plan.id, action: plan.action, ...metadata },
  };
}

function changesOf(plan: PlanRow, change: PlanChange, isAnnounced: boolean): TaskChange[] {
  const messages = (change.messages ?? []).map((message): TaskChange => ({ kind: 'message', message }));
  const artifacts = (change.artifacts ?? []).map((artifact): TaskChange => ({ kind: 'artifact', artifact }));
  const isFirst = plan.taskState === 'TASK_STATE_SUBMITTED';
  const status = isAnnounced && !isFirst ? [statusChange(plan, change)] : [];
  return [...messages, ...artifacts, ...status];
}

function statusChange(plan: PlanRow, { text, reason }: PlanChange): TaskChange {
  const message = statusMessage(plan, newUlid(), text);
  return { kind: 'status', state: plan.taskState, message, ...(reason === undefined ? {} : { reason }) };
}

function differences(before: PlanRow, after: PlanRow): PlanPatch {
  const columns = Object.keys(after) as (keyof PlanRow)[];
  return Object.fromEntries(columns.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]]));
}
