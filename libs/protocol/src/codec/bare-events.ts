import { isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import type { StreamEncoder } from './dialect-codec.js';
import { StreamEncoder01 } from './stream-encoder-01.js';

/**
 * The elements of `POST /a2a/stream`: the updates of 0.1 under the name of their type, each the whole `data:` line,
 * without a JSON-RPC envelope.
 */
export function bareEvents(wireTaskId?: string): StreamEncoder {
  const encoder = new StreamEncoder01(wireTaskId);
  return { encode: (event, closesStream) => encoder.encode(event, closesStream).map(bareEvent) };
}

function bareEvent({ id, status, artifact, final = false, metadata }: JsonObject): JsonObject {
  if (artifact === undefined) return { type: 'TaskStatusUpdateEvent', id, status, final, metadata };
  return { type: 'TaskArtifactUpdateEvent', id, artifact: withOnlyPart(artifact), final, metadata };
}

const PART_TYPE_NAMES: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['text', 'TextPart'],
  ['file', 'FilePart'],
  ['data', 'DataPart'],
]);

/** Readers of this form expect an artifact to be its only part, where it has just one; `parts` is there in any case. */
function withOnlyPart(artifact: JsonValue): JsonValue {
  if (!isJsonObject(artifact) || !Array.isArray(artifact.parts)) return artifact;
  const [part, ...others] = artifact.parts;
  if (!isJsonObject(part) || others.length > 0) return artifact;
  const { type, text, file, data } = part;
  return { type: PART_TYPE_NAMES.get(type), text, file, data, ...artifact };
}
