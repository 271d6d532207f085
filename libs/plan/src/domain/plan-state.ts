import { BusinessRuleViolation, type JsonObject } from '@cleveragents/kernel';

/** Phases of a stored plan; the stage before `plan/use` is the action itself. */
export const PHASES = ['strategize', 'execute', 'apply'] as const;
export type Phase = (typeof PHASES)[number];

export const PLAN_STATES = [
  'queued',
  'processing',
  'complete',
  'errored',
  'cancelled',
  'applied',
  'constrained',
] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** Only applying has an outcome on the target, and it has nothing to rest after. */
type Impossible = `${'strategize' | 'execute'}/${'applied' | 'constrained'}` | 'apply/complete';

/** Where a plan stands, as the wire spells it in `status`. */
export type Stage = Exclude<`${Phase}/${PlanState}`, Impossible>;

/** What a plan waits for when it rests until a person answers. */
export type AwaitingKind = 'phase_gate' | 'decision' | 'tool_approval' | 'client_io';

export type Trigger =
  /** A worker takes the plan's lease. */
  | 'claim'
  /** The phase's work ended well. */
  | 'finish'
  | 'fail'
  /** The gate of the next phase was opened, by a call or by the profile. */
  | 'advance'
  /** A step ended and the next one follows. */
  | 'progress'
  /** A step needs a person. */
  | 'ask'
  /** The person answered. */
  | 'answer'
  | 'reject'
  /** The target does not take the changeset. */
  | 'constrain'
  | 'cancel'
  /** The merge was refused before anything was touched: the plan is as before `plan/apply`. */
  | 'refuse'
  /** Once more from the last checkpoint. */
  | 'retry'
  /** A cancelled plan is taken up again. */
  | 'resume'
  /** The sandbox is put on the target's present head. */
  | 'rebase'
  /** The worker was lost. */
  | 'recover'
  /** Back to a checkpoint. */
  | 'rollBack'
  /** The merge is taken back by a further commit. */
  | 'undo'
  /** A decision is replaced: the plan is decided anew from there. */
  | 'revert'
  /** Something was added to what was executed already. */
  | 'extend';

interface Transition {
  readonly rule: string;
  readonly from: Stage;
  readonly trigger: Trigger;
  readonly to: Stage;
}

/** `queued` stands before every `processing`: the change of state is committed by the caller, the work by a worker. */
const SINGLE_TRANSITIONS: readonly Transition[] = [
  { rule: 'T2', from: 'strategize/queued', trigger: 'claim', to: 'strategize/processing' },
  { rule: 'T3', from: 'strategize/processing', trigger: 'finish', to: 'strategize/complete' },
  { rule: 'T4', from: 'strategize/processing', trigger: 'fail', to: 'strategize/errored' },
  { rule: 'T5', from: 'strategize/complete', trigger: 'advance', to: 'execute/queued' },
  { rule: 'T5', from: 'execute/queued', trigger: 'claim', to: 'execute/processing' },
  { rule: 'T6', from: 'execute/processing', trigger: 'progress', to: 'execute/processing' },
  { rule: 'T7', from: 'execute/processing', trigger: 'ask', to: 'execute/queued' },
  { rule: 'T8', from: 'execute/queued', trigger: 'answer', to: 'execute/queued' },
  { rule: 'T8', from: 'execute/queued', trigger: 'reject', to: 'execute/errored' },
  { rule: 'T9', from: 'execute/processing', trigger: 'finish', to: 'execute/complete' },
  { rule: 'T11', from: 'execute/processing', trigger: 'fail', to: 'execute/errored' },
  { rule: 'T12', from: 'execute/complete', trigger: 'advance', to: 'apply/queued' },
  { rule: 'T12', from: 'apply/queued', trigger: 'claim', to: 'apply/processing' },
  { rule: 'T13', from: 'apply/processing', trigger: 'finish', to: 'apply/applied' },
  { rule: 'T12', from: 'apply/processing', trigger: 'refuse', to: 'execute/complete' },
  { rule: 'T14', from: 'apply/processing', trigger: 'constrain', to: 'apply/constrained' },
  { rule: 'T15', from: 'apply/processing', trigger: 'fail', to: 'apply/errored' },
  { rule: 'T22', from: 'apply/constrained', trigger: 'rebase', to: 'execute/queued' },
  { rule: 'T18', from: 'execute/complete', trigger: 'extend', to: 'execute/queued' },
  { rule: 'T23', from: 'apply/applied', trigger: 'undo', to: 'apply/applied' },
];

/** Rules that hold in every phase alike and stay in it. */
const PHASE_TRANSITIONS: readonly Transition[] = PHASES.flatMap((phase): Transition[] => [
  ...(['queued', 'processing', 'errored'] as const).map((state) => cancelling(`${phase}/${state}`)),
  { rule: 'T20', from: `${phase}/errored`, trigger: 'retry', to: `${phase}/queued` },
  { rule: 'T21', from: `${phase}/cancelled`, trigger: 'resume', to: `${phase}/queued` },
  { rule: 'T24', from: `${phase}/processing`, trigger: 'recover', to: `${phase}/queued` },
]);

/** Where there is work that can be taken back. */
const ROLLBACK_STAGES: readonly Stage[] = [
  'execute/queued',
  'execute/complete',
  'execute/errored',
  'apply/constrained',
  'apply/errored',
];

/** Where a decision can be replaced. */
const REVERT_STAGES: readonly Stage[] = [...ROLLBACK_STAGES, 'execute/processing', 'strategize/errored'];

const RESTING_STAGES: readonly Stage[] = ['strategize/complete', 'execute/complete', 'apply/constrained'];

export const TRANSITIONS: readonly Transition[] = [
  ...SINGLE_TRANSITIONS,
  ...PHASE_TRANSITIONS,
  ...RESTING_STAGES.map(cancelling),
  ...REVERT_STAGES.map((from): Transition => ({ rule: 'T17', from, trigger: 'revert', to: 'strategize/queued' })),
  ...ROLLBACK_STAGES.map((from): Transition => ({ rule: 'T19', from, trigger: 'rollBack', to: 'execute/queued' })),
];

function cancelling(from: Stage): Transition {
  return { rule: 'T16', from, trigger: 'cancel', to: `${phaseOf(from)}/cancelled` };
}

/** Every stage that a plan can be in. */
export const STAGES: readonly Stage[] = [...new Set(TRANSITIONS.flatMap(({ from, to }) => [from, to]))];

export function stageOf(phase: Phase, state: PlanState): Stage {
  const stage = STAGES.find((candidate) => candidate === `${phase}/${state}`);
  if (stage === undefined) throw new Error(`No plan can be in ${phase}/${state}`);
  return stage;
}

export function phaseOf(stage: Stage): Phase {
  return stage.slice(0, stage.indexOf('/')) as Phase;
}

export function stateOf(stage: Stage): PlanState {
  return stage.slice(stage.indexOf('/') + 1) as PlanState;
}

export function isTerminalStage(stage: Stage): boolean {
  return stage === 'apply/applied' || stateOf(stage) === 'cancelled';
}

/** The facts of a plan on which it depends what may be done with it. */
export interface Situation {
  readonly stage: Stage;
  readonly awaiting: AwaitingKind | null;
  /** Of an errored plan: another try may succeed. */
  readonly isRecoverable: boolean;
  /** Nothing may be applied. */
  readonly isReadOnly: boolean;
  /** What was done so far is still there. */
  readonly isSandboxKept: boolean;
  /** The target's ref has been or is being moved: from here on the plan only ends. */
  readonly isCommitted: boolean;
  /** There are sandboxes, and checkpoints in them. */
  readonly hasSandbox: boolean;
  /** Of an applied plan: it has been undone. */
  readonly isReverted: boolean;
}

const READS = ['plan/status', 'plan/tree', 'plan/explain', 'plan/diff', 'plan/artifacts'] as const;

type Change = 'plan/execute' | 'plan/apply' | 'plan/cancel' | 'plan/correct' | 'plan/prompt' | 'plan/rollback';

const IS_ALLOWED: Readonly<Record<Change, (plan: Situation) => boolean>> = {
  'plan/execute': mayExecute,
  'plan/apply': mayApply,
  'plan/cancel': (plan) => !isTerminalStage(plan.stage) && !plan.isCommitted,
  'plan/correct': (plan) => mayRevert(plan) || mayAppend(plan),
  'plan/prompt': mayPrompt,
  'plan/rollback': mayRollBack,
};

function mayExecute(plan: Situation): boolean {
  const state = stateOf(plan.stage);
  if (state === 'errored') return plan.isRecoverable;
  if (state === 'cancelled') return plan.isSandboxKept;
  if (plan.stage === 'execute/queued') return plan.awaiting === 'phase_gate';
  return phaseOf(plan.stage) === 'strategize' || state === 'constrained';
}

function mayApply(plan: Situation): boolean {
  if (plan.isReadOnly) return false;
  return plan.stage === 'execute/complete' || (plan.stage === 'apply/errored' && plan.isRecoverable);
}

function mayPrompt(plan: Situation): boolean {
  const state = stateOf(plan.stage);
  if (state === 'errored') return plan.isRecoverable;
  return state === 'queued' || state === 'processing' || plan.awaiting !== null;
}

/** `plan/correct` with mode revert. */
export function mayRevert(plan: Situation): boolean {
  return REVERT_STAGES.includes(plan.stage) && !plan.isCommitted;
}

/** `plan/correct` with mode append. */
export function mayAppend(plan: Situation): boolean {
  return !isTerminalStage(plan.stage) && plan.stage !== 'apply/processing' && !plan.isCommitted;
}

function mayRollBack(plan: Situation): boolean {
  if (plan.stage === 'apply/applied') return !plan.isReverted;
  return ROLLBACK_STAGES.includes(plan.stage) && plan.hasSandbox && !plan.isCommitted;
}

/** The methods that do something in this situation; reading is always possible. */
export function allowedMethods(plan: Situation): string[] {
  const changes = (Object.keys(IS_ALLOWED) as Change[]).filter((method) => IS_ALLOWED[method](plan));
  return [...changes, ...READS];
}

export function isAllowed(method: Change, plan: Situation): boolean {
  return IS_ALLOWED[method](plan);
}

/** The stage that a trigger leads to; a pair that no rule names is refused with what is allowed instead. */
export function nextStage(plan: Situation, trigger: Trigger): Stage {
  const found = TRANSITIONS.find((row) => row.from === plan.stage && row.trigger === trigger);
  if (found === undefined) throw wrongState(plan, `A plan in ${plan.stage} does not take "${trigger}"`);
  return found.to;
}

export function wrongState(plan: Situation, message: string, details: JsonObject = {}): BusinessRuleViolation {
  return new BusinessRuleViolation(message, {
    phase: phaseOf(plan.stage),
    state: stateOf(plan.stage),
    status: plan.stage,
    allowed: allowedMethods(plan),
    ...definedOnly(details),
  });
}

function definedOnly(details: JsonObject): Record<string, Exclude<JsonObject[string], undefined>> {
  const entries = Object.entries(details).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
