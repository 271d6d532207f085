import { isJsonObject, type JsonObject } from '@cleveragents/kernel';
import type { Part } from '../a2a.js';
import { WRAPPED_DATA_MARK } from './spelling.js';

/** The member that tells the form of a part: `type` in 0.1, `kind` from 0.2 on. */
export type PartTag = 'type' | 'kind';

/** 0.x has no place for the file name or media type of a text or data part: they stay behind. */
export function partIn0X(part: Part, tag: PartTag): JsonObject {
  const { metadata } = part;
  if (part.text !== undefined) return { [tag]: 'text', text: part.text, metadata };
  if (part.data !== undefined) return { [tag]: 'data', ...dataIn0X(part) };
  const file = { bytes: part.raw, uri: part.url, name: part.filename, mimeType: part.mediaType };
  return { [tag]: 'file', file, metadata };
}

function dataIn0X({ data, metadata }: Part): JsonObject {
  if (isJsonObject(data)) return { data, metadata };
  return { data: { value: data }, metadata: { ...metadata, [WRAPPED_DATA_MARK]: true } };
}
