import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import { assign, dropEmpty, pick } from './fields.js';
import { ROLE_FROM_0X, WRAPPED_DATA_MARK } from './spelling.js';

const MESSAGE_FIELDS = [
  'messageId',
  'role',
  'parts',
  'contextId',
  'taskId',
  'referenceTaskIds',
  'extensions',
  'metadata',
] as const;
const PART_FIELDS = ['filename', 'mediaType', 'metadata'] as const;
const TEXT_FIELDS = ['text', ...PART_FIELDS] as const;
const ANY_FIELDS = ['text', 'raw', 'url', 'data', ...PART_FIELDS] as const;

/** A message of any generation in the 1.0 form; what is no object is left for validation to refuse. */
export function decodeMessage(message: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(message)) return message;
  const decoded = pick(message, MESSAGE_FIELDS);
  dropEmpty(decoded, ['contextId', 'taskId']);
  const { role, parts } = decoded;
  if (typeof role === 'string') decoded.role = ROLE_FROM_0X.get(role) ?? role;
  if (Array.isArray(parts)) decoded.parts = parts.map(decodePart);
  return decoded;
}

/** Guides to 0.1 tag a part by the name of its type. */
const PART_DECODERS: ReadonlyMap<unknown, (part: JsonObject) => JsonObject> = new Map([
  ['text', decodeText],
  ['TextPart', decodeText],
  ['file', decodeFile],
  ['FilePart', decodeFile],
  ['data', decodeData],
  ['DataPart', decodeData],
]);

/** The form is told by `kind` (0.2, 0.3) or `type` (0.1); a part without them shows it by its members (1.0). */
function decodePart(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  const decode = PART_DECODERS.get(part.kind ?? part.type) ?? decodeMembers;
  return decode(part);
}

function decodeText(part: JsonObject): JsonObject {
  return pick(part, TEXT_FIELDS);
}

function decodeMembers(part: JsonObject): JsonObject {
  if (isJsonObject(part.file)) return decodeFile(part);
  const decoded = pick(part, ANY_FIELDS);
  // null is a value of `data`, but beside another member it means unset.
  const isNullData = part.data === null && !('text' in decoded || 'raw' in decoded || 'url' in decoded);
  return isNullData ? { data: null, ...decoded } : decoded;
}

/** 0.x nests the content in `file`; some clients write its members beside the tag, as 1.0 does with its own. */
function decodeFile(part: JsonObject): JsonObject {
  const file = isJsonObject(part.file) ? part.file : part;
  const decoded: JsonObject = {};
  assign(decoded, 'raw', file.bytes ?? part.raw);
  assign(decoded, 'url', file.uri ?? part.url);
  assign(decoded, 'filename', file.name ?? part.filename);
  assign(decoded, 'mediaType', file.mimeType ?? part.mediaType);
  assign(decoded, 'metadata', part.metadata);
  return decoded;
}

function decodeData(part: JsonObject): JsonObject {
  const fields = pick(part, PART_FIELDS);
  const { data } = part;
  if (data === undefined) return fields;
  const { metadata } = fields;
  if (!isJsonObject(data) || !isJsonObject(metadata) || metadata[WRAPPED_DATA_MARK] !== true || !('value' in data)) {
    return { data, ...fields };
  }
  const { [WRAPPED_DATA_MARK]: _mark, ...rest } = metadata;
  const decoded: JsonObject = { data: data.value, ...pick(part, ['filename', 'mediaType']) };
  if (Object.keys(rest).length > 0) decoded.metadata = rest;
  return decoded;
}
