import { isJsonObject, isWellFormed, type FieldProblem } from '@cleveragents/kernel';

const MAX_ID_LENGTH = 512;
const MAX_DEPTH = 64;
const CONTENT_MEMBERS = ['text', 'raw', 'url', 'data'] as const;

const NONE: readonly FieldProblem[] = [];

/**
 * What is wrong with a message in the 1.0 form, with the path of each fault; empty when nothing is.
 * It runs on every send: a message without fault is walked once, and no path is built for it.
 */
export function messageProblems(message: unknown, path: string): readonly FieldProblem[] {
  if (!isJsonObject(message)) {
    return [{ path, message: message === undefined ? 'is required' : 'must be an object' }];
  }
  const problems = new Problems();
  if (message.messageId === undefined) problems.add(path, 'messageId', 'is required');
  checkId(problems, message.messageId, path, 'messageId');
  if (message.role !== 'ROLE_USER' && message.role !== 'ROLE_AGENT') {
    problems.add(path, 'role', message.role === undefined ? 'is required' : 'must be ROLE_USER or ROLE_AGENT');
  }
  checkId(problems, message.contextId, path, 'contextId');
  checkId(problems, message.taskId, path, 'taskId');
  checkStrings(problems, message.referenceTaskIds, path, 'referenceTaskIds');
  checkStrings(problems, message.extensions, path, 'extensions');
  checkMetadata(problems, message.metadata, path);
  checkParts(problems, message.parts, path);
  return problems.found ?? NONE;
}

class Problems {
  found: FieldProblem[] | undefined;

  add(parent: string, member: string, message: string): void {
    (this.found ??= []).push({ path: `${parent}.${member}`, message });
  }
}

function checkId(problems: Problems, id: unknown, path: string, member: string): void {
  if (id === undefined) return;
  if (typeof id !== 'string') return problems.add(path, member, 'must be a string');
  if (id.length === 0) return problems.add(path, member, 'must not be empty');
  if (id.length > MAX_ID_LENGTH) return problems.add(path, member, `must have at most ${MAX_ID_LENGTH} characters`);
  // Ids are stored in text columns, where control characters separate values.
  if (hasControlCharacter(id)) problems.add(path, member, 'must not contain control characters');
  if (!isWellFormed(id)) problems.add(path, member, 'must be well-formed Unicode');
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) < 0x20) return true;
  }
  return false;
}

function checkStrings(problems: Problems, value: unknown, path: string, member: string): void {
  if (value === undefined) return;
  if (!Array.isArray(value)) return problems.add(path, member, 'must be an array of strings');
  for (let index = 0; index < value.length; index += 1) {
    if (typeof value[index] !== 'string') problems.add(path, `${member}[${index}]`, 'must be a string');
  }
}

function checkMetadata(problems: Problems, metadata: unknown, path: string): void {
  if (metadata === undefined) return;
  if (!isJsonObject(metadata)) return problems.add(path, 'metadata', 'must be an object');
  if (isDeeperThan(metadata, MAX_DEPTH))
    problems.add(path, 'metadata', `must not nest deeper than ${MAX_DEPTH} levels`);
}

function checkParts(problems: Problems, parts: unknown, path: string): void {
  if (!Array.isArray(parts)) {
    return problems.add(path, 'parts', parts === undefined ? 'is required' : 'must be an array');
  }
  if (parts.length === 0) return problems.add(path, 'parts', 'must not be empty');
  for (let index = 0; index < parts.length; index += 1) checkPart(problems, parts[index], path, index);
}

function checkPart(problems: Problems, part: unknown, path: string, index: number): void {
  if (!isJsonObject(part)) return problems.add(path, `parts[${index}]`, 'must be an object');
  let contents = 0;
  for (const member of CONTENT_MEMBERS) if (part[member] !== undefined) contents += 1;
  if (contents !== 1) return problems.add(path, `parts[${index}]`, 'must have exactly one of text, raw, url, data');
  const fault = contentFault(part) ?? fileFault(part);
  if (fault !== undefined) problems.add(path, `parts[${index}].${fault.member}`, fault.message);
  if (part.metadata !== undefined) checkMetadata(problems, part.metadata, `${path}.parts[${index}]`);
}

interface Fault {
  readonly member: string;
  readonly message: string;
}

function contentFault(part: Record<string, unknown>): Fault | undefined {
  if (part.text !== undefined) return stringFault(part, 'text');
  if (part.url !== undefined) return stringFault(part, 'url');
  if (part.raw !== undefined) {
    return typeof part.raw === 'string' && isBase64(part.raw)
      ? undefined
      : { member: 'raw', message: 'must be base64' };
  }
  if (!isDeeperThan(part.data, MAX_DEPTH)) return undefined;
  return { member: 'data', message: `must not nest deeper than ${MAX_DEPTH} levels` };
}

function fileFault(part: Record<string, unknown>): Fault | undefined {
  return stringFault(part, 'filename') ?? stringFault(part, 'mediaType');
}

function stringFault(part: Record<string, unknown>, member: string): Fault | undefined {
  const value = part[member];
  return value === undefined || typeof value === 'string' ? undefined : { member, message: 'must be a string' };
}

const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;

/** Standard or URL-safe alphabet, padded or not, as the JSON form of protocol buffers allows. */
function isBase64(text: string): boolean {
  const firstForeign = text.search(NOT_BASE64);
  if (firstForeign === -1) return text.length % 4 !== 1;
  const padding = text.length - firstForeign;
  return text.length % 4 === 0 && padding <= 2 && text.endsWith('='.repeat(padding));
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, levels - 1));
}
