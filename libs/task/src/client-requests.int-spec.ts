import { LOCAL_OWNER } from '@cleveragents/auth';
import { isJsonObject, newUlid, type JsonObject } from '@cleveragents/kernel';
import type { Task } from '@cleveragents/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientRequestSweeper } from './client-request-sweeper.js';
import { saying, sayingIn03, TaskPlatform, type Answer } from './task-platform.fixture.js';

/** The tests decide when sweeps run. */
const BY_HAND = { SWEEP_SECONDS: '3600s' };

let platform: TaskPlatform;
let other: TaskPlatform;

beforeAll(async () => {
  platform = await TaskPlatform.start(BY_HAND);
  other = await TaskPlatform.start(BY_HAND, platform.database);
});

afterAll(async () => {
  await other.stop();
  await platform.stop();
});

const V1 = { versionHeader: '1.0' };
const metadata = { clientCapabilities: { fs: { read: true } } };
const asking = (paths: string): Promise<Task> => platform.send(saying(`fs-read: ${paths}`, { metadata }));

function requestIn({ status }: Task): JsonObject {
  const [part] = status.message?.parts ?? [];
  return isJsonObject(part?.data) ? part.data : {};
}

function requestIds({ history = [] }: Task): unknown[] {
  return history.flatMap(({ parts }) => parts).flatMap(({ data }) => (isJsonObject(data) ? [data.request_id] : []));
}

function answering(taskId: string, response: object): object {
  const parts = [{ data: { kind: 'client_response', ...response } }];
  return saying('', { taskId, parts });
}

function answer(taskId: string, response: object, caller = {}): Promise<Answer<{ task: Task }>> {
  return platform.rpc<{ task: Task }>('SendMessage', answering(taskId, response), { ...V1, ...caller });
}

/** As if the task had been waiting for its client for a year. */
async function outlive(taskId: string): Promise<void> {
  await platform.query(
    `UPDATE message SET body = replace(body, '"expires_at":"20', '"expires_at":"19') WHERE task_id = $1`,
    [taskId],
  );
  await platform.query("UPDATE task SET status_at = status_at - interval '1 year' WHERE id = $1", [taskId]);
}

const sweep = (on: TaskPlatform) => on.module.get(ClientRequestSweeper).sweep();

async function refusal(taskId: string, response: object): Promise<[number | undefined, string | undefined]> {
  const { error } = await answer(taskId, response);
  return [error?.code, JSON.stringify(error?.data)];
}

describe('a request to the client', () => {
  it('pauses the task with what is asked, and goes on with the answer', async () => {
    const task = await asking('notes.md');
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const request = requestIn(task);
    expect(request).toEqual({
      kind: 'client_request',
      request_id: expect.stringMatching(/^[0-9A-Z]{26}$/) as string,
      method: '_cleveragents/fs/read_text_file',
      params: { sessionId: task.contextId, path: 'notes.md' },
      expires_at: expect.any(String) as string,
    });
    const lifetime = Date.parse(String(request.expires_at)) - Date.parse(task.status.timestamp);
    expect(Math.round(lifetime / 60_000)).toBe(10);
    const { result } = await answer(task.id, { request_id: request.request_id, result: { content: '# notes' } });
    expect(result?.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(result?.task.artifacts?.[0]?.parts).toEqual([{ text: '# notes' }]);
    const records = await platform.query<{ details: JsonObject | string }>(
      "SELECT outcome, user_identity, details FROM audit WHERE event = 'tool_invoked' AND task_id = $1",
      [task.id],
    );
    expect(records).toMatchObject([{ outcome: 'ok', user_identity: LOCAL_OWNER.id }]);
    expect(JSON.stringify(records)).toContain('_cleveragents/fs/read_text_file');
    expect(JSON.stringify(records)).not.toContain('# notes');
  });

  it('is answered at another replica and in another generation as well', async () => {
    const { id, ...task } = await asking('a');
    const data = {
      kind: 'client_response',
      request_id: requestIn({ id, ...task }).request_id,
      error: { code: 'ENOENT' },
    };
    const message = sayingIn03('', { taskId: id, parts: [{ kind: 'data', data }] });
    const { result } = await other.rpc('message/send', message);
    expect(result?.artifacts?.[0]?.parts).toMatchObject([{ text: 'failed: {"code":"ENOENT"}' }]);
  });

  it('is one of several that may be open', async () => {
    const task = await asking('a|b');
    const [first, second] = requestIds(task);
    expect(first).not.toBe(second);
    const parts = [second, first].map((request_id) => ({
      data: { kind: 'client_response', request_id, result: { content: `of ${request_id === first ? 'a' : 'b'}` } },
    }));
    const done = await platform.send(saying('', { taskId: task.id, parts }));
    expect(done.artifacts?.[0]?.parts).toEqual([{ text: 'of b' }, { text: 'of a' }]);
  });

  it('fails at once where the client has not announced that it can do that', async () => {
    const incapable = [{}, { metadata: { clientCapabilities: { fs: { read: 'yes', write: true }, terminal: true } } }];
    for (const message of incapable) {
      const { status } = await platform.send(saying('fs-read: a', message));
      expect(status.state).toBe('TASK_STATE_FAILED');
      expect(status.message?.parts[0]?.text).toContain('clientCapabilities.fs.read');
    }
  });
});

describe('a request that nobody answers in time', () => {
  it('fails with an error from which the agent can recover, once, at whatever replica', async () => {
    const waiting = await asking('a');
    const task = await asking('b');
    const { request_id } = requestIn(task);
    await outlive(task.id);
    await Promise.all([sweep(platform), sweep(other)]);
    await expect.poll(async () => (await platform.get(task.id)).status.state).toBe('TASK_STATE_COMPLETED');
    const { history = [], artifacts } = await platform.get(task.id);
    expect(artifacts?.[0]?.parts[0]?.text).toContain('"reason":"CLIENT_REQUEST_EXPIRED"');
    expect(artifacts?.[0]?.parts[0]?.text).toContain('"recoverable":true');
    expect(history).toHaveLength(3);
    expect(history.at(-1)?.parts).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ request_id }) as unknown }),
    ]);
    expect((await platform.get(waiting.id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

describe('an answer of the client', () => {
  it.each([
    [{ request_id: newUlid(), result: {} }, 'CLIENT_REQUEST_NOT_OPEN'],
    [{ result: {} }, 'request_id'],
    [{ request_id: 7, result: {} }, 'request_id'],
  ])('that names no open request is refused: %j', async (response, fault) => {
    const { id } = await asking('a');
    const [code, data] = await refusal(id, response);
    expect(code).toBe(-32602);
    expect(data).toContain(fault);
    expect((await platform.get(id)).history).toHaveLength(2);
  });

  it('without exactly one outcome, or above 1 MiB, is refused', async () => {
    const task = await asking('a');
    const { request_id } = requestIn(task);
    const content = 'x'.repeat(1024 * 1024);
    for (const outcome of [{}, { result: {}, error: {} }, { result: { content } }]) {
      expect((await refusal(task.id, { request_id, ...outcome }))[0]).toBe(-32602);
    }
    expect((await answer(task.id, { request_id, result: { content: 'ok' } })).result?.task.artifacts).toHaveLength(1);
  });

  it('counts once: a repeated message is a retry, another one is refused', async () => {
    const task = await asking('a|b');
    const [first] = requestIds(task);
    const twice = { data: { kind: 'client_response', request_id: first, result: { content: 'x' } } };
    const { error } = await platform.rpc('SendMessage', saying('', { taskId: task.id, parts: [twice, twice] }), V1);
    expect(error).toMatchObject({ code: -32602 });
    const message = answering(task.id, { request_id: first, result: { content: 'x' } });
    const done = await platform.rpc<{ task: Task }>('SendMessage', message, V1);
    const again = await platform.rpc<{ task: Task }>('SendMessage', message, V1);
    expect(again.result?.task).toEqual(done.result?.task);
  });

  it('that comes too late is refused, and the task takes other messages', async () => {
    const task = await asking('a');
    const { request_id } = requestIn(task);
    await outlive(task.id);
    expect((await refusal(task.id, { request_id, result: {} }))[1]).toContain('CLIENT_REQUEST_EXPIRED');
    const { result } = await platform.rpc<{ task: Task }>(
      'SendMessage',
      saying('echo: go on', { taskId: task.id }),
      V1,
    );
    expect(result?.task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('is taken from the owner of the task alone, whatever the role of others', async () => {
    const task = await asking('a');
    const identity = { ...LOCAL_OWNER, id: 'colleague' };
    const { error } = await answer(task.id, { request_id: requestIn(task).request_id, result: {} }, { identity });
    expect(error).toMatchObject({ code: -31003 });
    expect((await platform.get(task.id)).history).toHaveLength(2);
  });
});
