import { canonicalJson } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';

/**
 * Whether a message is among earlier ones (members of a JSON array): the same content under the same messageId, so its
 * sender repeats it (decisions P10). The task and the context are the same for every message, said or not.
 */
export function isRepeated(message: Message, earlier: string): boolean {
  if (!earlier.includes(JSON.stringify(message.messageId))) return false;
  const content = contentOf(message);
  return (JSON.parse(`[${earlier}]`) as Message[]).some((other) => contentOf(other) === content);
}

function contentOf({ taskId: _taskId, contextId: _contextId, ...content }: Message): string {
  return canonicalJson(content);
}
