import { ValidationError, canonicalJson, type JsonObject, type JsonValue } from '@cleveragents/kernel';
import { StreamResponse as SdkStreamResponse } from 'a2a-sdk-1';
import { legacyPushNotificationToV1StreamResponse } from 'a2a-sdk-1/compat/v0_3';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_STATES, type Artifact, type Message, type Part, type StreamResponse } from '../a2a.js';
import { OPERATIONS } from '../dialect.js';
import { messageProblems } from '../message-problems.js';
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

/** Compares texts: matchers look at members like `constructor`, which are legal keys of metadata. */
function expectSame(actual: unknown, expected: unknown): void {
  expect(canonicalJson(actual)).toBe(canonicalJson(expected));
}

describe('codecs, for any input', () => {
  it('bring a message through 0.3 unchanged', () => {
    fc.assert(
      fc.property(message, (original) => {
        const wire = json(codec03.event({ message: original }, true));
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
        const back = legacyPushNotificationToV1StreamResponse(json(codec03.event(original, false)));
        expectSame(SdkStreamResponse.toJSON(back), original);
      }),
    );
  });

  it('refuse arbitrary params by nothing but a ValidationError, and decode twice as once', () => {
    const names = ['id', 'taskId', 'message', 'configuration', 'pushNotificationConfig', 'status', 'parts', 'tenant'];
    const params = fc.dictionary(fc.constantFrom(...names), jsonValue) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(fc.constantFrom(...OPERATIONS), params, (operation, input) => {
        try {
          const once = codec03.decode(operation, input);
          expectSame(codec10.decode(operation, once), once);
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
        }
      }),
    );
  });
});
