/**
 * Replay cursor of one event: names the task (by the head of its id) and the sequence number, so that a cursor of
 * another task is recognised. Opaque to clients.
 */
export function cursorOf(taskId: string, seq: number): string {
  return `${taskId.slice(0, 8)}-${seq}`;
}

/** The sequence number, or null when the text is no cursor of this task. */
export function seqOfCursor(cursor: string, taskId: string): number | null {
  const match = /^([0-9a-f]{8})-(\d{1,9})$/.exec(cursor);
  return match?.[1] === taskId.slice(0, 8) ? Number(match[2]) : null;
}
