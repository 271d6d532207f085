import { createHash } from 'node:crypto';
import { canonicalJson } from '@cleveragents/kernel';
import type { Message } from '../a2a.js';

/** A message as 0.1 has it. */
type UnidentifiedMessage = Omit<Message, 'messageId'> & Partial<Pick<Message, 'messageId'>>;

/**
 * Gives a message of 0.1 the id that it must have inside. Under the client's own task id it follows from the content: a
 * retry has the same one, another message to the task another. Without a task id nothing tells a retry from a second
 * message of the same words, so that each is new.
 */
export function withMessageId(
  message: UnidentifiedMessage,
  clientTaskId: string | undefined,
  freshId: () => string,
): Message {
  const { messageId = clientTaskId === undefined ? freshId() : idOf(clientTaskId, message) } = message;
  return { ...message, messageId };
}

function idOf(clientTaskId: string, message: UnidentifiedMessage): string {
  return createHash('sha256')
    .update(canonicalJson([clientTaskId, message]))
    .digest('base64url');
}
