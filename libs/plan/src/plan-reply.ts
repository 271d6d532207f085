import { ValidationError, isJsonObject } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { ANSWERS, type Answer } from './dto/execute-plan.params.js';
import type { PromptPlanParams } from './dto/prompt-plan.params.js';

const LONGEST_MESSAGE = 8000;

/** What a message to a plan's task says to the plan. */
export type Reply = Pick<PromptPlanParams, 'message' | 'answer' | 'decision_id'>;

/** Only a data part with `answer`, or a text that is exactly approve or reject, answers; anything else is guidance. */
export function readReply({ parts }: Message): Reply {
  const text = textOf(parts);
  const data = parts.map((part) => part.data).find((value) => isJsonObject(value) && 'answer' in value);
  if (isJsonObject(data)) return replyOf(data, text);
  if (text === '') throw ValidationError.of('message.parts', 'must hold a text, or a data part with "answer"');
  if (text.length > LONGEST_MESSAGE) {
    throw ValidationError.of('message.parts', `must hold at most ${LONGEST_MESSAGE} characters of text`);
  }
  const answer = asAnswer(text.toLowerCase());
  return answer === undefined ? { message: text } : { message: text, answer };
}

export function textOf(parts: Message['parts']): string {
  return parts
    .flatMap((part) => part.text ?? [])
    .join('\n')
    .trim();
}

function replyOf({ answer, decision_id, note }: Record<string, unknown>, text: string): Reply {
  const given = asAnswer(answer);
  if (given === undefined) throw ValidationError.of('message.parts', `"answer" must be one of ${ANSWERS.join(', ')}`);
  const message = typeof note === 'string' && note !== '' ? note : text === '' ? given : text;
  return { message, answer: given, ...(typeof decision_id === 'string' ? { decision_id } : {}) };
}

function asAnswer(value: unknown): Answer | undefined {
  return ANSWERS.find((answer) => answer === value);
}
