import type { TestingModule } from '@nestjs/testing';
import { createLogger, LoggingModule } from '@cleveragents/observability';
import { LOCAL_OWNER } from '@cleveragents/auth';
import type { CallContext, StreamEvent } from '@cleveragents/jsonrpc';
import { newUlid } from '@cleveragents/kernel';
import type { Task } from '@cleveragents/protocol';
import { TestDatabase } from '@cleveragents/testing';
import { firstValueFrom, toArray } from 'rxjs';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MessageService } from './message.service.js';
import { TaskModule } from './task.module.js';
import { TaskService } from './task.service.js';

let database: TestDatabase;
let module: TestingModule;
let messages: MessageService;
let tasks: TaskService;

beforeAll(async () => {
  database = await TestDatabase.create();
  const logging = LoggingModule.forRoot(createLogger({ level: 'fatal', pretty: false }));
  module = await database.module({ imports: [logging, TaskModule] }, { A2A_TEST_AGENT: 'on' }).compile();
  await module.init();
  messages = module.get(MessageService);
  tasks = module.get(TaskService);
});

afterAll(async () => {
  await module.close();
  await database.drop();
});

function call(): CallContext {
  return {
    principal: LOCAL_OWNER,
    origin: { userIdentity: LOCAL_OWNER.id, tokenId: null, method: 'test', correlationId: newUlid() },
    transport: 'http',
    dialect: '1.0',
    signal: new AbortController().signal,
    idempotencyKey: null,
    lastEventId: null,
  };
}

function text(words: string, rest: object = {}) {
  return { message: { messageId: newUlid(), role: 'ROLE_USER' as const, parts: [{ text: words }], ...rest } };
}

async function send(words: string, rest: object = {}): Promise<Task> {
  const { text: answer } = await messages.send(text(words, rest), call());
  return (JSON.parse(answer) as { task: Task }).task;
}

describe('a sent message', () => {
  it('answers the finished task, which reads the same from the database', async () => {
    const task = await send('echo: hello');
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'hello' }]);
    expect(task.history).toHaveLength(1);
    const stored = JSON.parse((await tasks.get({ id: task.id }, call())).text) as Task;
    expect(stored).toEqual(task);
  });

  it('continues a task that waits for input', async () => {
    const asked = await send('ask: name?');
    const done = await send('echo: Ada', { taskId: asked.id });
    expect(done.id).toBe(asked.id);
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.history?.map((message) => message.parts[0]?.text)).toEqual(['ask: name?', 'name?', 'echo: Ada']);
    const events: { seq: number; frames: string }[] = await module
      .get(DataSource)
      .query('SELECT seq, frames FROM task_event WHERE task_id = $1 ORDER BY seq', [asked.id]);
    expect(events.at(-1)?.seq).toBe(events.flatMap((row) => row.frames.split('\n')).length);
  });
});

describe('a streamed message', () => {
  it('begins with the task, then gives every event once and in order', async () => {
    const events: StreamEvent[] = await firstValueFrom(messages.stream(text('stream:50'), call()).pipe(toArray()));
    expect(events).toHaveLength(53);
    expect(events[0]?.value().task?.status.state).toBe('TASK_STATE_SUBMITTED');
    const chunks = events.map((event) => event.value().artifactUpdate?.artifact.parts[0]?.text).filter(Boolean);
    expect(chunks).toEqual(Array.from({ length: 50 }, (_, index) => `chunk ${index} of 50`));
    expect(events.at(-1)?.isLast).toBe(true);
  });
});
