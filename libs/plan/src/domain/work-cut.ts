import { downstreamOf, type Decision } from './decision-tree.js';

export interface WorkStep {
  readonly target: number;
  readonly stepId: string;
  /** Order of running, over all targets. */
  readonly ordinal: number;
}

export interface WorkCheckpoint {
  readonly id: string;
  readonly target: number;
  /** Order of making, over all targets. */
  readonly ordinal: number;
  /** null for the state that a target's sandbox began with. */
  readonly stepId: string | null;
  readonly commit: string;
}

/** What a plan has done so far, in order. */
export interface Work<S extends WorkStep, C extends WorkCheckpoint> {
  readonly steps: readonly S[];
  readonly checkpoints: readonly C[];
  readonly decisions: readonly Decision[];
}

/** The same, parted at one moment: what was before it stays, what came after is taken back. */
export interface WorkCut<S extends WorkStep, C extends WorkCheckpoint> {
  readonly kept: { readonly steps: readonly S[]; readonly checkpoints: readonly C[] };
  readonly dropped: {
    readonly steps: readonly S[];
    readonly checkpoints: readonly C[];
    /** Those that still counted. */
    readonly decisions: readonly Decision[];
  };
  /** The checkpoint of each target at that moment. */
  readonly heads: readonly C[];
}

/** Before the first step. */
export const BEFORE_ALL_STEPS = -1;

/** Parts the work after the step of this ordinal. */
export function cutAfter<S extends WorkStep, C extends WorkCheckpoint>(work: Work<S, C>, last: number): WorkCut<S, C> {
  const isKept = (step: WorkStep): boolean => step.ordinal <= last;
  const droppedSteps = work.steps.filter((step) => !isKept(step));
  const isKeptCheckpoint = ({ target, stepId }: WorkCheckpoint): boolean =>
    stepId === null || !droppedSteps.some((step) => step.target === target && step.stepId === stepId);
  const keptCheckpoints = work.checkpoints.filter(isKeptCheckpoint);
  return {
    kept: { steps: work.steps.filter(isKept), checkpoints: keptCheckpoints },
    dropped: {
      steps: droppedSteps,
      checkpoints: work.checkpoints.filter((checkpoint) => !isKeptCheckpoint(checkpoint)),
      decisions: droppedDecisions(work, droppedSteps),
    },
    heads: headsOf(keptCheckpoints),
  };
}

/** Where to part the work so that a checkpoint is the last thing before. */
export function ordinalOf(
  { steps }: Pick<Work<WorkStep, WorkCheckpoint>, 'steps'>,
  checkpoint: WorkCheckpoint,
): number {
  const { target, stepId } = checkpoint;
  return steps.find((step) => step.target === target && step.stepId === stepId)?.ordinal ?? BEFORE_ALL_STEPS;
}

function headsOf<C extends WorkCheckpoint>(checkpoints: readonly C[]): C[] {
  const heads = new Map<number, C>();
  for (const checkpoint of checkpoints) heads.set(checkpoint.target, checkpoint);
  return [...heads.entries()].sort(([a], [b]) => a - b).map(([, checkpoint]) => checkpoint);
}

/** What the dropped steps did, what rests on that, and what people answered when those steps asked. */
function droppedDecisions(
  { decisions, checkpoints }: Work<WorkStep, WorkCheckpoint>,
  steps: readonly WorkStep[],
): Decision[] {
  const current = decisions.filter(({ isSuperseded }) => !isSuperseded);
  const dropped = new Set<string>();
  for (const decision of current) {
    const isDropped = isCallOf(decision, steps, checkpoints) || isAnswerFor(decision, steps, decisions);
    if (!isDropped) continue;
    for (const { id } of [decision, ...downstreamOf(decisions, decision.id)]) dropped.add(id);
  }
  return current.filter(({ id }) => dropped.has(id));
}

const CALLS: ReadonlySet<string> = new Set(['tool_invocation', 'error_recovery']);

function isCallOf(
  { type, stepId, checkpointBefore }: Decision,
  steps: readonly WorkStep[],
  checkpoints: readonly WorkCheckpoint[],
): boolean {
  if (!CALLS.has(type)) return false;
  const target = checkpoints.find(({ id }) => id === checkpointBefore)?.target;
  return steps.some((step) => step.stepId === stepId && (target === undefined || step.target === target));
}

function isAnswerFor(
  { type, phase, parentId }: Decision,
  steps: readonly WorkStep[],
  decisions: readonly Decision[],
): boolean {
  if (type !== 'user_intervention' || phase !== 'execute') return false;
  const asked = decisions.find(({ id }) => id === parentId)?.stepId ?? null;
  return asked !== null && steps.some(({ stepId }) => stepId === asked);
}
