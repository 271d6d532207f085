import { describe, expect, it } from 'vitest';
import type { Artifact, StreamResponse, Task, TaskState } from '../a2a.js';
import { bareEvents } from './bare-events.js';
import { codec01 } from './codec-01.js';
import type { StreamEncoder } from './dialect-codec.js';

const TIME = '2026-01-02T03:04:05.678Z';
const ids = { taskId: 't-1', contextId: 'c-1' };

const taskIn = (state: TaskState, artifacts?: Artifact[]): Task => ({
  id: 't-1',
  contextId: 'c-1',
  status: { state, timestamp: TIME },
  ...(artifacts && { artifacts }),
});
const status = (state: TaskState): StreamResponse => ({ statusUpdate: { ...ids, status: { state, timestamp: TIME } } });
const text = (artifactId: string, words: string): Artifact => ({ artifactId, parts: [{ text: words }] });

/** What a reader gets: JSON has no undefined. The last event is the one that closes the stream. */
function elements(encoder: StreamEncoder, ...events: StreamResponse[]): unknown[] {
  const written = events.flatMap((event, index) => encoder.encode(event, index === events.length - 1));
  return JSON.parse(JSON.stringify(written)) as unknown[];
}

const stateOnTheWire = (state: string) => ({ state, timestamp: TIME });

describe('a stream in 0.1', () => {
  it('begins with a status of the task and ends with a final one', () => {
    const events = [
      { task: taskIn('TASK_STATE_SUBMITTED') },
      status('TASK_STATE_WORKING'),
      status('TASK_STATE_COMPLETED'),
    ];
    expect(elements(codec01.streamEncoder(), ...events)).toEqual([
      { id: 't-1', status: stateOnTheWire('submitted'), final: false },
      { id: 't-1', status: stateOnTheWire('working'), final: false },
      { id: 't-1', status: stateOnTheWire('completed'), final: true },
    ]);
  });

  it('names the task as its client does, in every element', () => {
    const artifactUpdate = { ...ids, artifact: text('a', 'x') };
    const message = { messageId: 'r', role: 'ROLE_AGENT' as const, parts: [{ text: 'help' }] };
    const events = [
      { task: taskIn('TASK_STATE_WORKING') },
      { artifactUpdate },
      status('TASK_STATE_FAILED'),
      { message },
    ];
    for (const element of elements(codec01.streamEncoder('my task'), ...events)) {
      expect(element).toMatchObject({ id: 'my task' });
    }
  });

  it('is final where it ends before the task does', () => {
    const events = [{ task: taskIn('TASK_STATE_WORKING') }, status('TASK_STATE_INPUT_REQUIRED')];
    expect(elements(codec01.streamEncoder(), ...events).at(-1)).toMatchObject({
      status: { state: 'input-required' },
      final: true,
    });
  });

  it('stays open where the task waits for credentials', () => {
    const [element] = codec01.streamEncoder().encode(status('TASK_STATE_AUTH_REQUIRED'), false);
    expect(element).toMatchObject({ status: { state: 'input-required' }, final: false });
  });

  it('numbers artifacts by their position in the task, inside the artifact', () => {
    const chunk = (artifactId: string, words: string, append: boolean, lastChunk: boolean) => ({
      artifactUpdate: { ...ids, artifact: text(artifactId, words), append, lastChunk, metadata: { m: 1 } },
    });
    const events = [
      { task: taskIn('TASK_STATE_WORKING', [text('first', 'x')]) },
      chunk('second', 'a', false, false),
      chunk('third', 'b', true, false),
      chunk('second', 'c', true, true),
      chunk('first', 'y', false, true),
    ];
    const written = elements(codec01.streamEncoder(), ...events);
    const artifact = (words: string, place: object) => ({
      id: 't-1',
      artifact: { parts: [{ type: 'text', text: words }], ...place },
    });
    expect(written).toEqual([
      { id: 't-1', status: stateOnTheWire('working'), final: false },
      artifact('x', { index: 0 }),
      { ...artifact('a', { index: 1, append: false, lastChunk: false }), metadata: { m: 1 } },
      { ...artifact('b', { index: 2, append: false, lastChunk: false }), metadata: { m: 1 } },
      { ...artifact('c', { index: 1, append: true, lastChunk: true }), metadata: { m: 1 } },
      { ...artifact('y', { index: 0, append: false, lastChunk: true }), metadata: { m: 1 } },
    ]);
  });

  it('gives the artifacts of a task that is over before it says so', () => {
    const task = { ...taskIn('TASK_STATE_COMPLETED', [text('a', 'x')]), metadata: { replay: 'snapshot' } };
    const over = { id: 't-1', status: stateOnTheWire('completed'), metadata: { replay: 'snapshot' } };
    expect(elements(codec01.streamEncoder(), { task })).toEqual([
      { ...over, final: false },
      { id: 't-1', artifact: { parts: [{ type: 'text', text: 'x' }], index: 0 } },
      { ...over, final: true },
    ]);
  });

  it('carries a direct message in its only element', () => {
    const message = { messageId: 'r-1', role: 'ROLE_AGENT' as const, parts: [{ text: 'help' }] };
    expect(elements(codec01.streamEncoder(), { message })).toEqual([
      {
        id: 'r-1',
        status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'help' }] } },
        final: true,
      },
    ]);
  });

  it('shares no numbers with another stream', () => {
    const artifactUpdate = { ...ids, artifact: text('only here', 'x') };
    codec01.streamEncoder().encode({ artifactUpdate: { ...ids, artifact: text('elsewhere', 'x') } }, false);
    expect(codec01.streamEncoder().encode({ artifactUpdate }, false)).toMatchObject([{ artifact: { index: 0 } }]);
  });
});

describe('bare events', () => {
  it('read as the stream of the agent guide', () => {
    const data: Artifact = { artifactId: 'a', parts: [{ data: { key: 'value' }, metadata: { m: 1 } }] };
    const events = [
      { task: taskIn('TASK_STATE_WORKING') },
      { artifactUpdate: { ...ids, artifact: data } },
      status('TASK_STATE_COMPLETED'),
    ];
    const sample = [
      { type: 'TaskStatusUpdateEvent', status: { state: 'working' } },
      { type: 'TaskArtifactUpdateEvent', artifact: { type: 'DataPart', data: { key: 'value' } } },
      { type: 'TaskStatusUpdateEvent', status: { state: 'completed' } },
    ];
    const written = elements(bareEvents(), ...events);
    expect(written).toMatchObject(sample);
    expect(written).toEqual([
      { type: 'TaskStatusUpdateEvent', id: 't-1', status: stateOnTheWire('working'), final: false },
      {
        type: 'TaskArtifactUpdateEvent',
        id: 't-1',
        artifact: {
          type: 'DataPart',
          data: { key: 'value' },
          parts: [{ type: 'data', data: { key: 'value' }, metadata: { m: 1 } }],
          index: 0,
        },
        final: false,
      },
      { type: 'TaskStatusUpdateEvent', id: 't-1', status: stateOnTheWire('completed'), final: true },
    ]);
  });

  it.each([
    [{ text: 'x' }, { type: 'TextPart', text: 'x' }],
    [{ url: 'https://x.test/a' }, { type: 'FilePart', file: { uri: 'https://x.test/a' } }],
  ])('let an artifact be its only part: %j', (part, expected) => {
    const artifactUpdate = { ...ids, artifact: { artifactId: 'a', parts: [part] } };
    expect(elements(bareEvents('mine'), { artifactUpdate })).toMatchObject([{ id: 'mine', artifact: expected }]);
  });

  it('let an artifact of several parts be no part', () => {
    const artifact = { artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] };
    const [event] = elements(bareEvents(), { artifactUpdate: { ...ids, artifact } });
    expect(event).toMatchObject({ artifact: { parts: [{ text: 'x' }, { text: 'y' }] } });
    expect(event).not.toHaveProperty('artifact.type');
  });
});
