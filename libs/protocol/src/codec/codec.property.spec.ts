import { ValidationError, canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import { StreamResponse as SdkStreamResponse } from 'a2a-sdk-1';
import { legacyPushNotificationToV1StreamResponse } from 'a2a-sdk-1/compat/v0_3';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  TASK_STATES,
  type Artifact,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdate,
} from '../a2a.js';
import { OPERATIONS } from '../dialect.js';
import { messageProblems } from '../message-problems.js';
import { codec01 } from './codec-01.js';
import { codec03 } from './codec-03.js';
import { codec10 } from './codec-10.js';

const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;

const id = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
const jsonValue = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const metadata = fc.dictionary(id, jsonValue, { minKeys: 1, maxKeys: 3 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const base64 = fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64'));

/** Parts as both generations can say them: 0.3 gives file names and media types to files only. */
const file = { filename: optional(id), mediaType: optional(fc.constant('text/plain')), metadata: optional(metadata) };
const part: fc.Arbitrary<Part> = fc
  .oneof(
    fc.record({ text: fc.string(), metadata: optional(metadata) }),
    fc.record({ raw: base64, ...file }),
    fc.record({ url: fc.webUrl(), ...file }),
    fc.record({ data: jsonValue, metadata: optional(metadata) }),
  )
  .map((value) => json(value) as Part);

const message: fc.Arbitrary<Message> = fc
  .record({
    messageId: id,
    role: fc.constantFrom('ROLE_USER', 'ROLE_AGENT'),
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    contextId: optional(id),
    taskId: optional(id),
    referenceTaskIds: optional(fc.array(id, { minLength: 1, maxLength: 2 })),
    extensions: optional(fc.array(id, { minLength: 1, maxLength: 2 })),
    metadata: optional(metadata),
  })
  .map((value) => json(value) as unknown as Message);

const artifact = fc.record({ artifactId: id, name: id, parts: fc.array(part, { minLength: 1, maxLength: 3 }) });
const status = fc.record({
  state: fc.constantFrom(...TASK_STATES),
  timestamp: fc.constant('2026-01-02T03:04:05.678Z'),
  message: optional(message),
});
const ids = { taskId: id, contextId: id };
const event: fc.Arbitrary<StreamResponse> = fc
  .oneof(
    message.map((value) => ({ message: value })),
    fc.record({ statusUpdate: fc.record({ ...ids, status, metadata: optional(metadata) }) }),
    fc.record({
      artifactUpdate: fc.record({ ...ids, artifact, append: fc.constant(true), lastChunk: fc.constant(true) }),
    }),
    fc.record({
      task: fc.record({
        id,
        contextId: id,
        status,
        artifacts: fc.array(artifact as fc.Arbitrary<Artifact>, { minLength: 1, maxLength: 2 }),
        history: fc.array(message, { minLength: 1, maxLength: 2 }),
      }),
    }),
  )
  .map((value) => json(value) as StreamResponse);

/** Pieces of a few artifacts, in any order of beginning, appending and replacing. */
const chunk: fc.Arbitrary<TaskArtifactUpdate> = fc.record({
  taskId: fc.constant('t'),
  contextId: fc.constant('c'),
  artifact: fc.record({
    artifactId: fc.constantFrom('x', 'y', 'z'),
    parts: fc.array(fc.record({ text: fc.string() }), { minLength: 1, maxLength: 2 }),
  }),
  append: fc.boolean(),
});

function foldedIn10(updates: readonly TaskArtifactUpdate[]): Artifact[] {
  const artifacts = new Map<string, Artifact>();
  for (const { artifact: piece, append } of updates) {
    const known = append ? artifacts.get(piece.artifactId) : undefined;
    artifacts.set(piece.artifactId, { ...piece, parts: [...(known?.parts ?? []), ...piece.parts] });
  }
  return [...artifacts.values()];
}

function foldedIn01(elements: readonly JsonObject[]): JsonObject[] {
  const artifacts: JsonObject[] = [];
  for (const { artifact: piece } of elements) {
    if (!isJsonObject(piece)) continue;
    const { append, parts, ...whole } = piece as JsonObject & { index: number; parts: JsonValue[] };
    const known = append === true ? (artifacts[whole.index]?.parts as JsonValue[]) : [];
    artifacts[whole.index] = { ...whole, parts: [...known, ...parts] };
  }
  return artifacts;
}

function taskWith(artifacts: Artifact[]): Task {
  return { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', timestamp: 'now' }, artifacts };
}

const elementIn03 = (original: StreamResponse) => codec03.streamEncoder().encode(original, false)[0];

/** Compares texts: matchers look at members like `constructor`, which are legal keys of metadata. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(canonicalJson(actual)).toBe(canonicalJson(expected));
}

describe('codecs, for any input', () => {
  it('bring a message through 0.3 unchanged', () => {
    fc.assert(
      fc.property(message, (original) => {
        const wire = json(elementIn03({ message: original }));
        expectSame(codec03.decode('SendMessage', { message: wire }), { message: original });
      }),
    );
  });

  it('leave a valid 1.0 message as it is', () => {
    fc.assert(
      fc.property(message, (original) => {
        expect(messageProblems(original, 'message')).toEqual([]);
        expectSame(codec10.decode('SendMessage', json({ message: original })), { message: original });
      }),
    );
  });

  it('write 0.3 stream elements that the official translation reads as the original', () => {
    fc.assert(
      fc.property(event, (original) => {
        const back = legacyPushNotificationToV1StreamResponse(json(elementIn03(original)));
        expectSame(SdkStreamResponse.toJSON(back), original);
      }),
    );
  });

  it('bring what a 0.1 message can say through 0.1 unchanged', () => {
    fc.assert(
      fc.property(message, ({ role, parts, metadata: remarks }) => {
        const original = json({ role, parts, metadata: remarks });
        const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, history: [original] };
        const { history } = json(codec01.encode('GetTask', task)) as { history: JsonObject[] };
        expectSame(codec01.decode('SendMessage', { message: history[0] }), { message: original });
      }),
    );
  });

  it('give a 0.1 reader, from wherever it starts, the artifacts that the task has in the end', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), fc.nat(12), (chunks, start) => {
        const encoder = codec01.streamEncoder();
        const first = { task: taskWith(foldedIn10(chunks.slice(0, start))) };
        const rest = chunks.slice(start).map((artifactUpdate) => ({ artifactUpdate }));
        const elements = [first, ...rest].flatMap((element) => encoder.encode(element, false));
        const { artifacts } = json(codec01.encode('GetTask', json(taskWith(foldedIn10(chunks)))));
        expectSame(foldedIn01(elements.map(json)), artifacts);
      }),
    );
  });

  it.each([codec01, codec03])(
    'refuse arbitrary params by nothing but a ValidationError, and decode twice as once',
    (codec) => {
      const names = ['id', 'taskId', 'message', 'configuration', 'pushNotificationConfig', 'status', 'parts', 'tenant'];
      const of01 = ['sessionId', 'pushNotification', 'historyLength'];
      const params = fc.dictionary(fc.constantFrom(...names, ...of01), jsonValue) as fc.Arbitrary<JsonObject>;
      fc.assert(
        fc.property(fc.constantFrom(...OPERATIONS), params, (operation, input) => {
          try {
            // The one member that only 0.1 can set.
            const { clientTaskId: _clientTaskId, ...once } = codec.decode(operation, input);
            expectSame(codec10.decode(operation, once), once);
          } catch (error) {
            expect(error).toBeInstanceOf(ValidationError);
          }
        }),
      );
    },
  );
});
