import { Injectable } from '@nestjs/common';
import { TransactionManager } from '@cleveragents/database';
import { JobQueue } from '@cleveragents/engine';
import type { CallContext } from '@cleveragents/jsonrpc';
import { BusinessRuleViolation, Clock, newUlid, type JsonObject } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { TaskJournal, type NewTask } from '@cleveragents/task';
import { maskSecrets } from './plan-arguments.js';
import { isGateOpen } from './domain/gates.js';
import { gateQuestion } from './gate-question.js';
import { PlanAccess } from './plan-access.js';
import type { PlanDraft } from './plan-drafting.js';
import { PlanJournal, taskOf } from './plan-journal.js';
import { jobOf, PLAN_QUEUE } from './plan-queue.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import { PlanRepository } from './plan.repository.js';
import type { PlanRow } from './plan.entity.js';

/** What comes with a plan besides its draft. */
export interface PlanCircumstances {
  /** Under which key the plan may be asked for again, and what was asked. */
  readonly idempotency?: { readonly key: string; readonly requestHash: string };
  /** The message that asked for the plan: first entry of its task's history. */
  readonly message?: Message;
  readonly contextId?: string;
  readonly requestKey?: NewTask['requestKey'];
}

/** Stores a draft as a plan with its task; it begins by itself where its first gate stands open (T1). */
@Injectable()
export class PlanCreation {
  constructor(
    private readonly tx: TransactionManager,
    private readonly plans: PlanRepository,
    private readonly access: PlanAccess,
    private readonly journal: PlanJournal,
    private readonly tasks: TaskJournal,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async create(draft: PlanDraft, call: CallContext, circumstances: PlanCircumstances = {}): Promise<PlanRow> {
    const base = this.rowOf(draft, call, circumstances);
    return this.tx.run(async () => {
      await this.claim(draft, base);
      const taskId = await this.tasks.create(newTask(base, circumstances), call.origin);
      const plan = { ...base, taskId };
      await this.plans.insert(plan, draft.snapshot, draft.references);
      await this.plans.addTask(plan.id, taskId);
      await this.journal.record(plan, call.origin, { event: 'plan_created', details: createdDetails(draft.snapshot) });
      return this.openOrAsk(plan, draft.snapshot, call);
    });
  }

  /** What this plan takes and no other may take as well: its idempotency key, and an action that serves once. */
  private async claim({ snapshot }: PlanDraft, { createdBy, idempotencyKey, createdAt }: PlanRow): Promise<void> {
    if (idempotencyKey !== null) await this.plans.releaseKey(createdBy, idempotencyKey, keysSince(createdAt));
    const { name, spec } = snapshot.action;
    if (spec.reusable) return;
    await this.plans.lockAction(name);
    if ((await this.plans.countUses('action', [name])).length === 0) return;
    const details = { action: name, state: 'used', allowed: [] };
    throw new BusinessRuleViolation(`Action ${name} serves once and has been used`, details, { reason: 'ACTION_USED' });
  }

  private async openOrAsk(plan: PlanRow, snapshot: PlanSnapshot, { origin }: CallContext): Promise<PlanRow> {
    if (isGateOpen(snapshot.profile.spec, plan.gateOverrides, 'strategize')) {
      await this.queue.send(PLAN_QUEUE, jobOf(plan));
      return plan;
    }
    const awaiting = gateQuestion('strategize', snapshot, this.clock.now());
    return this.journal.amend(plan, origin, { patch: { awaiting } });
  }

  private rowOf(draft: PlanDraft, call: CallContext, { idempotency, contextId }: PlanCircumstances): PlanRow {
    const { snapshot, isReadOnly } = draft;
    const [first] = snapshot.projects;
    if (first === undefined) throw new Error('A plan has at least one project');
    const id = newUlid();
    const now = this.clock.now();
    const namespaces = [...new Set(snapshot.projects.map(({ namespace }) => namespace))];
    return {
      ...NEW_PLAN,
      id,
      name: `${first.namespace}/${shortName(snapshot.action.name)}-${id.slice(0, 8).toLowerCase()}`,
      namespace: first.namespace,
      namespaces,
      createdBy: call.principal.id,
      idempotencyKey: idempotency?.key ?? null,
      requestHash: idempotency?.requestHash ?? null,
      action: snapshot.action.name,
      project: first.name,
      profile: snapshot.profile.name,
      isReadOnly,
      isUnattended: snapshot.profile.spec.unattended,
      mayCreatorApply: this.access.hasRole(namespaces, call.principal, 'maintainer'),
      runOrigin: { ...call.origin, method: null },
      dialect: call.dialect,
      contextId: contextId ?? id,
      createdAt: now,
      updatedAt: now,
    };
  }
}

const KEY_KEPT_MS = 24 * 3600 * 1000;

/** Idempotency keys that were used earlier than this are free again. */
export function keysSince(now: Date): Date {
  return new Date(now.getTime() - KEY_KEPT_MS);
}

const NEW_PLAN = {
  phase: 'strategize',
  state: 'queued',
  version: 1,
  attempt: 1,
  isRecoverable: true,
  isCommitted: false,
  isRebaseDue: false,
  isAttentionOver: false,
  isSandboxKept: true,
  awaiting: null,
  gateOverrides: {},
  failure: null,
  strategy: null,
  sandboxes: [],
  changeset: null,
  applyRequest: null,
  applyOutcome: null,
  cancellation: null,
  taskId: '',
  taskState: 'TASK_STATE_SUBMITTED',
  decisionCount: 0,
  toolCalls: 0,
  leaseOwner: null,
  fence: 0,
  restingSince: null,
  startedAt: null,
  phaseStartedAt: null,
  endedAt: null,
} satisfies Partial<PlanRow>;

function newTask(plan: PlanRow, { message, requestKey }: PlanCircumstances): NewTask {
  const messages = message === undefined ? [] : [message];
  return { ...taskOf(plan), messages, requestKey: requestKey ?? null };
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function createdDetails({ action, projects, profile, arguments: values }: PlanSnapshot): JsonObject {
  return {
    action: action.name,
    action_revision: action.revision,
    projects: projects.map(({ name }) => name),
    arguments: maskSecrets(action.spec.arguments, values),
    automation_profile: profile.name,
    profile_source: profile.source,
  };
}
