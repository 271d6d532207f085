import type { TestingModule, TestingModuleBuilder } from '@nestjs/testing';
import { LOCAL_OWNER } from '@cleveragents/auth';
import {
  Dispatcher,
  FailedCall,
  JsonRpcModule,
  toErrorAnswer,
  type CallContext,
  type Caller,
  type StreamEvent,
} from '@cleveragents/jsonrpc';
import { newUlid, type Principal } from '@cleveragents/kernel';
import { AppLogger, createLogger, LoggingModule } from '@cleveragents/observability';
import type { Task, TaskState } from '@cleveragents/protocol';
import { TestDatabase } from '@cleveragents/testing';
import type { Observable, Subscription } from 'rxjs';
import { DataSource } from 'typeorm';
import type { Agent } from './agent/agent.js';
import { AgentExecutor } from './agent/agent-executor.js';
import type { AgentRun } from './agent/agent-run.js';
import type { SendMessageParams } from './dto/send-message.params.js';
import { Executors } from './executors.js';
import { LiveTasks } from './log/live-tasks.js';
import { TaskEventBus } from './log/task-event-bus.js';
import { TaskReader, WHOLE } from './log/task-reader.js';
import { MessageService } from './message.service.js';
import { TaskModule } from './task.module.js';
import { TaskService } from './task.service.js';
import { TaskStreams } from './task-streams.js';
import { TaskTakeover } from './task-takeover.js';

/** Answers of JSON-RPC, as far as tests look into them. */
export interface Answer<T = Task> {
  readonly id: unknown;
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly reason?: string } };
}

/** A caller who shares nothing with the local owner. */
export const STRANGER: Principal = {
  id: 'stranger',
  displayName: 'stranger',
  kind: 'user',
  tokenId: null,
  isServerAdmin: false,
  grants: new Map(),
  personalNamespace: 'stranger',
  expiresAt: null,
};

/** The task module on a database of its own (or of another platform: then there are two replicas). */
export class TaskPlatform {
  readonly log: Record<string, unknown>[] = [];
  private readonly agents: AgentExecutor[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly module: TestingModule,
    private readonly ownsDatabase: boolean,
    lines: Record<string, unknown>[],
  ) {
    this.log = lines;
  }

  static async start(
    variables: Record<string, string> = {},
    shared?: TestDatabase,
    adapt = (builder: TestingModuleBuilder): TestingModuleBuilder => builder,
  ): Promise<TaskPlatform> {
    const database = shared ?? (await TestDatabase.create());
    const lines: Record<string, unknown>[] = [];
    const write = (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>);
    const logging = LoggingModule.forRoot(createLogger({ level: 'debug', pretty: false }, { write }));
    const settings = { A2A_TEST_AGENT: 'on', ...variables };
    const builder = database.module({ imports: [logging, JsonRpcModule, TaskModule] }, settings);
    const module = await adapt(builder).compile();
    module.useLogger(false);
    await module.init();
    return new TaskPlatform(database, module, shared === undefined, lines);
  }

  async stop(): Promise<void> {
    await Promise.all(this.agents.map((agent) => agent.close(0)));
    await this.module.close();
    if (this.ownsDatabase) await this.database.drop();
  }

  get messages(): MessageService {
    return this.module.get(MessageService);
  }

  get tasks(): TaskService {
    return this.module.get(TaskService);
  }

  get streams(): TaskStreams {
    return this.module.get(TaskStreams);
  }

  get live(): LiveTasks {
    return this.module.get(LiveTasks);
  }

  get bus(): TaskEventBus {
    return this.module.get(TaskEventBus);
  }

  query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.module.get(DataSource).query(text, values);
  }

  /** From now on every message without a task goes to this agent. */
  host(agent: Agent): void {
    const executor = new AgentExecutor(agent, this.live, this.module.get(TaskTakeover), this.module.get(AppLogger));
    this.agents.push(executor);
    this.module.get(Executors).divertNewTasks(executor);
  }

  /** The task once it rests and nobody here works on it. */
  async rest(id: string): Promise<Task> {
    await this.live.find(id)?.rested();
    const stored = await this.module.get(TaskReader).read(id, WHOLE);
    if (stored === null) throw new Error(`There is no task ${id}`);
    return JSON.parse(stored.text()) as Task;
  }

  async send(params: SendMessageParams, context = callOf()): Promise<Task> {
    const { text } = await this.messages.send(params, context);
    return (JSON.parse(text) as { task: Task }).task;
  }

  async get(id: string, historyLength?: number): Promise<Task> {
    const { text } = await this.tasks.get({ id, ...(historyLength === undefined ? {} : { historyLength }) }, callOf());
    return JSON.parse(text) as Task;
  }

  /** One call through the dispatcher; `version` is the header A2A-Version. */
  async rpc<T = Task>(
    method: string,
    params: object,
    caller: Partial<Caller> = {},
    id: unknown = 1,
  ): Promise<Answer<T>> {
    const body = { jsonrpc: '2.0', id, method, params };
    try {
      const outcome = await this.module.get(Dispatcher).dispatch(body, callerOf(caller));
      if (outcome.kind !== 'single') throw new Error(`${method} answers a ${outcome.kind}`);
      return JSON.parse(outcome.body) as Answer<T>;
    } catch (error) {
      if (!(error instanceof FailedCall)) throw error;
      return JSON.parse(toErrorAnswer(error).body) as Answer<T>;
    }
  }

  /** The frames of a stream through the dispatcher, to its end; an early failure is the only frame. */
  async frames<T>(method: string, params: object, caller: Partial<Caller> = {}): Promise<Answer<T>[]> {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const stream = await this.module.get(Dispatcher).dispatch(body, callerOf(caller));
    if (stream.kind !== 'stream') throw new Error(`${method} answers no stream`);
    const frames: Answer<T>[] = [];
    await new Promise<void>((resolve) => {
      stream.events.subscribe({
        next: ({ texts }) => {
          for (const text of texts) frames.push(JSON.parse(text) as Answer<T>);
        },
        error: (error: unknown) => {
          const failed = new FailedCall(error, stream.context, stream.idText);
          frames.push(JSON.parse(toErrorAnswer(failed).body) as Answer<T>);
          resolve();
        },
        complete: resolve,
      });
    });
    return frames;
  }
}

export function callOf(members: Partial<CallContext> = {}): CallContext {
  const { id } = members.principal ?? LOCAL_OWNER;
  return {
    principal: LOCAL_OWNER,
    origin: { userIdentity: id, tokenId: null, method: 'test', correlationId: newUlid() },
    transport: 'http',
    dialect: '1.0',
    signal: new AbortController().signal,
    idempotencyKey: null,
    lastEventId: null,
    ...members,
  };
}

function callerOf(members: Partial<Caller>): Caller {
  return {
    identity: LOCAL_OWNER,
    transport: 'http',
    correlationId: newUlid(),
    versionHeader: undefined,
    versionQuery: undefined,
    extensions: [],
    idempotencyKey: null,
    lastEventId: null,
    signal: new AbortController().signal,
    ...members,
  };
}

/** Params of a send in the form of A2A 1.0. */
export function saying(text: string, message: object = {}, params: object = {}): SendMessageParams {
  return { message: { messageId: newUlid(), role: 'ROLE_USER', parts: [{ text }], ...message }, ...params };
}

/** The same in the form of 0.3. */
export function sayingIn03(text: string, message: object = {}, configuration?: object): object {
  const parts = [{ kind: 'text', text }];
  return { message: { kind: 'message', role: 'user', messageId: newUlid(), parts, ...message }, configuration };
}

export const AT_ONCE = { configuration: { returnImmediately: true } };

/** An agent whose runs stay open until the test ends them. */
export class HeldAgent implements Agent {
  readonly runs: AgentRun[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();
  private readonly starts: (() => void)[] = [];

  constructor(
    readonly name = `held-${newUlid()}`,
    readonly effects: Agent['effects'] = 'outside',
  ) {}

  answer(): null {
    return null;
  }

  run(run: AgentRun): Promise<void> {
    this.runs.push(run);
    run.status('TASK_STATE_WORKING');
    for (const started of this.starts.splice(0)) started();
    return new Promise((resolve, reject) => {
      this.ends.set(run.taskId, (error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  /** Resolves when so many runs have begun. */
  async begun(count: number): Promise<void> {
    while (this.runs.length < count) await new Promise<void>((resolve) => this.starts.push(resolve));
  }

  /** Moves the task and lets its newest run return. */
  end(taskId: string, state: TaskState = 'TASK_STATE_COMPLETED'): void {
    this.runs.findLast((run) => run.taskId === taskId)?.status(state);
    this.ends.get(taskId)?.();
  }

  /** Lets the run return without another status. */
  leave(taskId: string): void {
    this.ends.get(taskId)?.();
  }
}

/** Reads a stream; `seen` resolves with the events once there are so many, `ended` when it is over. */
export class StreamReader {
  readonly events: StreamEvent[] = [];
  readonly ended: Promise<StreamEvent[]>;
  private readonly subscription: Subscription;
  private waiting: (() => void)[] = [];

  constructor(stream: Observable<StreamEvent>) {
    let end: (events: StreamEvent[]) => void = () => undefined;
    let fail: (error: unknown) => void = () => undefined;
    this.ended = new Promise((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    this.ended.catch(() => undefined);
    this.subscription = stream.subscribe({
      next: (event) => {
        this.events.push(event);
        for (const wake of this.waiting.splice(0)) wake();
      },
      error: (error: unknown) => fail(error),
      complete: () => end(this.events),
    });
  }

  async seen(count: number): Promise<StreamEvent[]> {
    while (this.events.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.events;
  }

  leave(): void {
    this.subscription.unsubscribe();
  }
}

/** Number of an event or of the task at the head of a stream, from its cursor. */
export function seqOf(event: StreamEvent): number {
  return Number(event.cursor?.split('-')[1]);
}

/** The text of an artifact as a reader of the stream puts it together. */
export function textOf(events: readonly StreamEvent[]): string {
  let text = '';
  for (const event of events) {
    const { task, artifactUpdate } = event.value();
    const parts = task?.artifacts?.flatMap((artifact) => artifact.parts) ?? artifactUpdate?.artifact.parts ?? [];
    if (task !== undefined || artifactUpdate?.append === false) text = '';
    text += parts.map((part) => part.text).join('');
  }
  return text;
}
