import { downstreamOf, type Decision } from './decision-tree.js';
import { BEFORE_ALL_STEPS, cutAfter, type Work, type WorkCheckpoint, type WorkCut, type WorkStep } from './work-cut.js';

/** What a reverting correction does away with. */
export interface CorrectionScope<S extends WorkStep, C extends WorkCheckpoint> {
  /** Superseded with it, in order of recording. */
  readonly invalidated: readonly Decision[];
  readonly unaffected: readonly Decision[];
  /** The work that stays, and where the sandboxes go back to. */
  readonly cut: WorkCut<S, C>;
}

/**
 * The target, its descendants and what its influence reached; and because a sandbox can only go back as a whole, also
 * what was done after the first of them. The root is never done away with: correcting it replans everything below.
 */
export function scopeOf<S extends WorkStep, C extends WorkCheckpoint>(
  work: Work<S, C>,
  target: Decision,
): CorrectionScope<S, C> {
  const { decisions } = work;
  const downstream = downstreamOf(decisions, target.id);
  const affected = target.parentId === null ? downstream : [target, ...downstream];
  const cut = cutAfter(work, lastUntouched(work, affected));
  const ids = new Set([...affected, ...cut.dropped.decisions].map(({ id }) => id));
  const current = decisions.filter(({ isSuperseded }) => !isSuperseded);
  return {
    invalidated: current.filter(({ id }) => ids.has(id)),
    unaffected: current.filter(({ id }) => !ids.has(id)),
    cut,
  };
}

/** The ordinal of the last step before the first one that is affected. */
function lastUntouched({ steps, checkpoints }: Work<WorkStep, WorkCheckpoint>, affected: readonly Decision[]): number {
  const isAffected = (step: WorkStep): boolean =>
    affected.some(({ stepId, checkpointBefore }) => {
      const target = checkpoints.find(({ id }) => id === checkpointBefore)?.target ?? step.target;
      return stepId === step.stepId && target === step.target;
    });
  const touched = steps.filter(isAffected).map(({ ordinal }) => ordinal);
  if (touched.length > 0) return Math.min(...touched) - 1;
  return Math.max(BEFORE_ALL_STEPS, ...steps.map(({ ordinal }) => ordinal));
}
