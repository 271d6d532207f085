import { ValidationError, isJsonObject, type JsonObject } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { namedDecisions, type Decision } from './domain/decision-tree.js';
import { textOf } from './plan-reply.js';

/** A correction as a message to a plan's task asks for it. */
export interface CorrectionWish {
  /** `root`, `strategy`, `step` with the step's id behind it, or the id of a decision. */
  readonly decision: string;
  /** Not yet checked. */
  readonly correction: string | JsonObject;
}

const CHOOSE = /^correct\s+strategy\s+choose\s+(?<index>[1-9]\d{0,3})$/i;
const SKIP = /^correct\s+step\s+(?<step>\S+)\s+skip$/i;

/** A data part with `correction`, or a text that is exactly one of two sentences; null for anything else. */
export function readCorrectionWish({ parts }: Message): CorrectionWish | null {
  const data = parts.map((part) => part.data).find((value) => isJsonObject(value) && 'correction' in value);
  if (isJsonObject(data)) return wishOf(data);
  const text = textOf(parts);
  const { index } = CHOOSE.exec(text)?.groups ?? {};
  if (index !== undefined) return { decision: 'strategy', correction: { mode: 'revert', choose: Number(index) } };
  const { step } = SKIP.exec(text)?.groups ?? {};
  if (step === undefined) return null;
  return { decision: `step ${step}`, correction: { mode: 'revert', steps: { [step]: 'skip' } } };
}

/** The id of the decision that a wish is about. */
export function decisionOf({ decision }: CorrectionWish, decisions: readonly Decision[]): string {
  const named = namedDecisions(decisions)[decision];
  if (named !== undefined) return named;
  const ofStep = decisions.find(
    ({ type, isSuperseded, stepId }) =>
      type === 'implementation_choice' && !isSuperseded && decision === `step ${stepId}`,
  );
  const found = ofStep ?? decisions.find(({ id }) => id === decision);
  if (found === undefined) throw ValidationError.of('message.parts', `names no decision of the plan: ${decision}`);
  return found.id;
}

function wishOf({ correction, decision_id }: JsonObject): CorrectionWish {
  const isReadable = typeof correction === 'string' || isJsonObject(correction);
  // Whatever else stands there is refused where corrections are read.
  return {
    decision: typeof decision_id === 'string' ? decision_id : 'strategy',
    correction: isReadable ? correction : {},
  };
}
