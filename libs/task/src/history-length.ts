/** No answer holds more messages than this, whatever is asked for. */
const MAX_HISTORY = 1000;

/** Newest messages to show: absent = the default, 0 = none, n = the newest n up to the cap (decisions P15). */
export function historyLimit(asked: number | undefined, fallback: number): number {
  return Math.min(asked ?? fallback, MAX_HISTORY);
}
