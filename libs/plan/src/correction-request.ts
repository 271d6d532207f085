import type { CallContext } from '@cleveragents/jsonrpc';
import type { Message } from '@cleveragents/protocol';
import type { Correction } from './domain/correction.js';
import type { Decision } from './domain/decision-tree.js';
import type { CorrectionHistoryView } from './dto/correct-plan.view.js';
import type { PlanRow } from './plan.entity.js';

/** A correction that nothing stands against, of a plan that the open transaction has locked. */
export interface CorrectionRequest {
  readonly plan: PlanRow;
  readonly target: Decision;
  readonly correction: Correction;
  readonly call: CallContext;
  readonly messages: readonly Message[];
}

/** Every correction is kept with the decision that it made. */
export function historyOf(decisions: readonly Decision[]): CorrectionHistoryView[] {
  return decisions.flatMap(({ id, correction, corrects, attempt, createdAt }) =>
    correction === null
      ? []
      : [
          {
            correction_id: correction.id,
            mode: correction.mode,
            decision_id: id,
            corrects,
            attempt,
            at: createdAt.toISOString(),
          },
        ],
  );
}
