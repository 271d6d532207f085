import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { textOf } from './plan-reply.js';

export type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'undo' }
  /** Params of plan/use, not yet checked. */
  | { readonly kind: 'use'; readonly params: JsonObject }
  | { readonly kind: 'unknown' };

export const GRAMMAR = [
  'Start a plan:   use ACTION on PROJECT[, PROJECT…] [NAME=VALUE …]',
  '                for example: use acme/exclaim on acme/api note="greeting ends with an exclamation mark"',
  '                VALUE is a text in double quotes, or a bare word, number, true or false',
  'Or as data:     {"action_name": "…", "project_names": ["…"], "arguments": {…}}',
  'Answer a gate:  approve | reject — any other text to a running plan is kept as guidance',
  'Correct a plan: correct strategy choose NUMBER | correct step STEP skip — to a plan that has been executed',
  'Take up again:  resume — in the context of a cancelled plan',
  'Take back:      undo — in the context of an applied plan',
  'This text:      help',
].join('\n');

/** Reads what a message asks the assistant for: this small language, and nothing that only looks like it. */
export function readRequest({ parts }: Message): Request {
  const data = parts.map((part) => part.data).find((value) => isJsonObject(value) && 'action_name' in value);
  if (isJsonObject(data)) return { kind: 'use', params: data };
  const text = textOf(parts);
  const word = text.toLowerCase();
  if (word === 'help' || word === 'resume' || word === 'undo') return { kind: word };
  const params = parseUse(text);
  return params === null ? { kind: 'unknown' } : { kind: 'use', params };
}

const USE = /^use\s+(?<action>[^\s,=]+)\s+on\s+(?<projects>[^\s,=]+(?:\s*,\s*[^\s,=]+)*)(?<rest>(?:\s+.*)?)$/is;
const ARGUMENT = /\s+(?<name>[A-Za-z_][A-Za-z0-9_-]*)=(?:(?<quoted>"(?:[^"\\]|\\.)*")|(?<bare>[^\s"]+))/gs;

function parseUse(text: string): JsonObject | null {
  const { action, projects, rest = '' } = USE.exec(text)?.groups ?? {};
  if (action === undefined || projects === undefined) return null;
  const values = parseArguments(rest);
  if (values === null) return null;
  return { action_name: action, project_names: projects.split(/\s*,\s*/), arguments: values };
}

/** Null when anything but arguments stands there. */
function parseArguments(text: string): JsonObject | null {
  const values: JsonObject = {};
  const rest = text.replace(ARGUMENT, (...match) => {
    const { name, quoted, bare } = match.at(-1) as Record<string, string | undefined>;
    if (name !== undefined) values[name] = quoted === undefined ? bareValue(bare ?? '') : unquote(quoted);
    return '';
  });
  return rest.trim() === '' ? values : null;
}

/** A quoted text may hold JSON's escapes; other escapes stand for the character itself. */
function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1).replace(/\\(.)/gs, '$1');
  }
}

function bareValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
