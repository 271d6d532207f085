import { Test, type TestingModule } from '@nestjs/testing';
import { ConfigModule, readConfig } from '@cleveragents/config';
import {
  A2aNotAvailableError,
  AuthenticationError,
  AuthorizationError,
  BudgetExceededError,
  BusinessRuleViolation,
  ConfigurationError,
  DuplicateEntityError,
  PlanError,
  ResourceNotFoundError,
  ValidationError,
  type Principal,
} from '@cleveragents/kernel';
import { createLogger, LoggingModule } from '@cleveragents/observability';
import { IsString } from 'class-validator';
import { lastValueFrom, of, throwError, toArray, type Observable } from 'rxjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallContext } from './call-context.js';
import type { Caller } from './caller.js';
import { JsonRpcHandler, JsonRpcMethod, JsonRpcStream } from './decorators.js';
import { DeprecatedCalls } from './deprecated-calls.js';
import type { DispatchOutcome, StreamOutcome } from './dispatch-outcome.js';
import { Dispatcher } from './dispatcher.js';
import { FailedCall, toErrorAnswer } from './failed-call.js';
import { JsonRpcModule } from './json-rpc.module.js';
import { NoParams } from './method-dto.js';
import { RawJson } from './raw-json.js';
import type { StreamEvent } from './stream-event.js';

class View {
  [key: string]: unknown;
}

class NameParams {
  @IsString() name: string;
}

class IdParams {
  @IsString() id: string;
}

/** One failure of every kind. */
const failures: ReadonlyMap<string, Error> = new Map(
  [
    new A2aNotAvailableError('x'),
    new AuthorizationError('x', { required_role: 'owner' }),
    new BudgetExceededError('x', { limit: 1 }),
    new BusinessRuleViolation('x', { state: 'failed' }, { reason: 'TASK_BUSY' }),
    new ConfigurationError('x', { key: 'k' }),
    new DuplicateEntityError('x', { name: 'n' }),
    new PlanError('x', { plan_id: 'p' }),
    new TypeError('x'),
    ResourceNotFoundError.of('Plan', { plan_id: 'p' }),
    ValidationError.of('name', 'is wrong'),
  ].map((error) => [error.name, error]),
);

const TASK = {
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00.000Z' },
};
const executed: string[] = [];

function eventOf(isLast: boolean, rest: Partial<StreamEvent> = {}): StreamEvent {
  const value = { task: structuredClone(TASK) as never };
  return { cursor: 'c1', text: JSON.stringify(value), isLast, value: () => value, ...rest };
}

@JsonRpcHandler({ tag: 'test' })
class SampleRpc {
  @JsonRpcMethod('_cleveragents/health/check', { summary: '', params: NoParams, result: View, access: 'public' })
  async health(_params: NoParams, call: CallContext): Promise<View> {
    return { caller: call.principal.kind };
  }

  @JsonRpcMethod('_cleveragents/plan/show', {
    summary: '',
    params: NameParams,
    result: View,
    access: 'operator',
    aliases: ['plan.show'],
  })
  async show({ name }: NameParams, call: CallContext): Promise<View> {
    executed.push(name);
    if (name === 'missing') throw ResourceNotFoundError.of('Plan', { name });
    if (name === 'bug') throw new TypeError('s3cret');
    return { name, method: call.origin.method };
  }

  @JsonRpcMethod('_cleveragents/server/stop', { summary: '', params: NoParams, result: View, access: 'server_admin' })
  async stop(): Promise<View> {
    return {};
  }

  @JsonRpcMethod('_cleveragents/plan/fail', { summary: '', params: NameParams, result: View, access: 'viewer' })
  async fail({ name }: NameParams): Promise<View> {
    throw failures.get(name) ?? new Error(name);
  }

  @JsonRpcStream('_cleveragents/plan/watch', { summary: '', params: NameParams, result: View, access: 'viewer' })
  watch({ name }: NameParams): Observable<StreamEvent> {
    return throwError(() => failures.get(name));
  }

  @JsonRpcMethod('GetTask', { operation: 'GetTask', summary: '', params: IdParams, result: View, access: 'viewer' })
  async get({ id }: IdParams): Promise<RawJson> {
    executed.push(id);
    if (id === 'busy') throw new BusinessRuleViolation('busy', {}, { reason: 'TASK_NOT_CANCELABLE' });
    if (id === 'mine') return new RawJson(JSON.stringify(TASK), '0.1');
    if (id !== 't') throw ResourceNotFoundError.of('Task', {});
    return new RawJson(JSON.stringify(TASK), '1.0');
  }

  @JsonRpcStream('SubscribeToTask', {
    operation: 'SubscribeToTask',
    summary: '',
    params: IdParams,
    result: View,
    access: 'viewer',
  })
  subscribe({ id }: IdParams): Observable<StreamEvent> {
    executed.push(`stream ${id}`);
    if (id === 'mine') return of(eventOf(false, { bornIn: '0.1' }), eventOf(true));
    if (id === 'odd') return of(eventOf(false, { value: () => ({}) }));
    return id === 't' ? of(eventOf(false), eventOf(true)) : throwError(() => ResourceNotFoundError.of('Task', {}));
  }
}

const OWNER: Principal = {
  id: 'u',
  displayName: 'u',
  kind: 'user',
  tokenId: null,
  isServerAdmin: false,
  grants: new Map([['acme', 'operator']]),
  personalNamespace: 'u',
  expiresAt: null,
};

const CALLER: Caller = {
  identity: OWNER,
  transport: 'http',
  correlationId: 'corr-1',
  versionHeader: undefined,
  versionQuery: undefined,
  extensions: [],
  idempotencyKey: null,
  lastEventId: null,
  signal: new AbortController().signal,
};

const NOBODY: Caller = { ...CALLER, identity: new AuthenticationError('Authentication required') };

const lines: Record<string, unknown>[] = [];

async function moduleWith(variables: Record<string, string> = {}): Promise<TestingModule> {
  const log = { write: (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>) };
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(readConfig({ variables, workingDirectory: '/', isTerminal: false })),
      LoggingModule.forRoot(createLogger({ level: 'info', pretty: false }, log)),
      JsonRpcModule,
    ],
    providers: [SampleRpc],
  }).compile();
  await module.init();
  return module;
}

const dispatcherWith = async (variables: Record<string, string>) => (await moduleWith(variables)).get(Dispatcher);

let dispatcher: Dispatcher;
let deprecatedCalls: DeprecatedCalls;
beforeAll(async () => {
  const module = await moduleWith();
  dispatcher = module.get(Dispatcher);
  deprecatedCalls = module.get(DeprecatedCalls);
});

function request(method: string, params: unknown = {}, id: unknown = 1): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, params };
}

/** What a transport would send: the parsed body, the status and the headers. */
async function answer(body: unknown, caller: Caller = CALLER, subject = dispatcher) {
  const outcome: DispatchOutcome = await subject.dispatch(body, caller).catch((error: unknown) => {
    if (error instanceof FailedCall) return { kind: 'single' as const, ...toErrorAnswer(error) };
    throw error;
  });
  if (outcome.kind !== 'single') return { status: 204, body: outcome.kind, headers: {} };
  return { status: outcome.status, headers: outcome.headers, body: JSON.parse(outcome.body) as unknown };
}

describe('Dispatcher', () => {
  it('answers with the id and the result', async () => {
    expect(await answer(request('_cleveragents/plan/show', { name: 'p' }, 'x'))).toMatchObject({
      status: 200,
      body: { jsonrpc: '2.0', id: 'x', result: { name: 'p', method: '_cleveragents/plan/show' } },
    });
  });

  it('answers a raw result in the dialect of the caller', async () => {
    const old = await answer(request('tasks/get', { id: 't' }));
    expect(old.body).toMatchObject({ result: { kind: 'task', status: { state: 'working' } } });
    const current = await answer(request('GetTask', { id: 't' }), { ...CALLER, versionHeader: '1.0' });
    expect(current.body).toMatchObject({ result: TASK });
    expect(current.headers).toEqual({ 'A2A-Version': '1.0' });
  });

  it.each([
    ['a malformed envelope before everything', { method: 'no/such' }, NOBODY, 200, -32600],
    ['missing credentials before an unknown method', request('no/such'), NOBODY, 401, -31002],
    ['missing credentials on platform methods with their number', request('_cleveragents/x'), NOBODY, 401, -32002],
    ['an unknown method', request('no/such'), CALLER, 200, -32601],
    ['a missing role before bad params', request('_cleveragents/server/stop', ['x']), CALLER, 403, -32003],
    ['params that are no object', request('_cleveragents/plan/show', ['x']), CALLER, 200, -32602],
    [
      'params that the method does not know',
      request('_cleveragents/plan/show', { name: 'p', a: 1 }),
      CALLER,
      200,
      -32602,
    ],
    ['a thing that is not there', request('_cleveragents/plan/show', { name: 'missing' }), CALLER, 200, -32001],
    ['an unforeseen failure', request('_cleveragents/plan/show', { name: 'bug' }), CALLER, 200, -32603],
    ['a task by the number of A2A', request('tasks/get', { id: 'busy' }), CALLER, 200, -32002],
    ['an unsupported version', request('tasks/get', { id: 't' }), { ...CALLER, versionHeader: '2.0' }, 200, -32009],
    ['it by the number of the reference', request('_cleveragents/x'), { ...CALLER, versionHeader: '2.0' }, 200, -32007],
  ])('refuses %s', async (_what, body, caller, status, code) => {
    expect(await answer(body, caller)).toMatchObject({ status, body: { error: { code } } });
  });

  it('ignores unknown params of standard operations', async () => {
    expect((await answer(request('tasks/get', { id: 't', novelty: 1 }))).body).toHaveProperty('result');
  });

  it('answers public methods without credentials', async () => {
    expect((await answer(request('_cleveragents/health/check', null), NOBODY)).body).toMatchObject({
      result: { caller: 'anonymous' },
    });
  });

  it('says in the challenge whether a token was presented', async () => {
    const invalid = new AuthenticationError('no', {}, { reason: 'INVALID_TOKEN' });
    expect((await answer(request('x'), NOBODY)).headers).toEqual({ 'WWW-Authenticate': 'Bearer realm="cleveragents"' });
    expect((await answer(request('x'), { ...CALLER, identity: invalid })).headers).toEqual({
      'WWW-Authenticate': 'Bearer error="invalid_token"',
    });
  });

  it('accepts the names of the predecessor with a warning, unless they are switched off', async () => {
    const body = request('plan.show', { name: 'p' });
    expect(await answer(body)).toMatchObject({
      headers: { Deprecation: 'true' },
      body: { result: { name: 'p', warnings: ['plan.show is deprecated: use _cleveragents/plan/show'] } },
    });
    const strict = await dispatcherWith({ ACP_NAMES: 'off' });
    expect((await answer(body, CALLER, strict)).body).toMatchObject({ error: { code: -32601 } });
  });

  it('counts the calls by each of those names, and no others', async () => {
    const before = deprecatedCalls.byName().get('plan.show') ?? 0;
    for (const method of ['plan.show', '_cleveragents/plan/show', 'plan.show', 'plan.unknown']) {
      await answer(request(method, { name: 'p' }));
    }
    expect(Object.fromEntries(deprecatedCalls.byName())).toEqual({ 'plan.show': before + 2 });
  });

  it('demands the extension where that is switched on', async () => {
    const strict = await dispatcherWith({ A2A_EXTENSION_REQUIRED: 'on' });
    const body = request('_cleveragents/plan/show', { name: 'p' });
    expect((await answer(body, CALLER, strict)).body).toMatchObject({ error: { code: -32008 } });
    const aware = { ...CALLER, extensions: ['urn:cleveragents:extensions:v1'] };
    expect((await answer(body, aware, strict)).body).toHaveProperty('result');
  });

  it('answers standard operations with the taxonomy of the reference where that is switched on', async () => {
    const reference = await dispatcherWith({ A2A_ERROR_CODES: 'reference' });
    expect((await answer(request('tasks/get'), NOBODY, reference)).body).toMatchObject({ error: { code: -32002 } });
    expect((await answer(request('tasks/get', { id: 'busy' }), CALLER, reference)).body).toMatchObject({
      error: { code: -32004 },
    });
  });

  it('R03 carries out a notification and answers nothing, and says why it refuses one', async () => {
    executed.length = 0;
    const notification = { jsonrpc: '2.0', method: 'tasks/get', params: { id: 'gone' } };
    expect((await answer(notification)).body).toBe('none');
    expect(executed).toEqual(['gone']);
    expect((await answer({ ...notification, method: 'no/such' })).body).toMatchObject({
      id: null,
      error: { code: -32601 },
    });
  });

  it('R03 answers a batch with one answer per call that has an id', async () => {
    const { status, body } = await answer([
      request('tasks/get', { id: 't' }, 'p'),
      { jsonrpc: '2.0', method: 'tasks/get', params: { id: 't' } },
      7,
      request('no/such', {}, 'q'),
      request('tasks/subscribe', { id: 't' }, 's'),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { id: 'p', result: {} },
      { id: null, error: { code: -32600 } },
      { id: 'q', error: { code: -32601 } },
      { id: 's', error: { code: -32600 } },
    ]);
    expect(executed).not.toContain('stream t');
  });

  it('R03 refuses an empty and an oversized batch as a whole', async () => {
    executed.length = 0;
    const many = Array.from({ length: 51 }, (_item, id) => request('tasks/get', { id: 't' }, id));
    for (const batch of [[], many]) {
      expect((await answer(batch)).body).toMatchObject({ id: null, error: { code: -32600 } });
    }
    expect(executed).toEqual([]);
    expect((await answer(many.slice(1))).body).toHaveLength(50);
  });

  it('answers a batch without credentials with 401', async () => {
    expect((await answer([request('tasks/get'), request('no/such')], NOBODY)).status).toBe(401);
  });

  it('streams frames under the id of the call, in the dialect of the caller', async () => {
    const stream = (await dispatcher.dispatch(request('tasks/subscribe', { id: 't' }, 0), CALLER)) as StreamOutcome;
    const events = await lastValueFrom(stream.events.pipe(toArray()));
    const frames = events.flatMap(({ texts }) => texts).map((text) => JSON.parse(text) as unknown);
    expect(frames).toMatchObject([
      { id: 0, result: { kind: 'task' } },
      { id: 0, result: { kind: 'task' } },
    ]);
  });

  it('answers a task that was born in 0.1 in 0.1 where the name is of both generations and no version is stated', async () => {
    const { body } = await answer(request('tasks/get', { id: 'mine' }));
    expect(body).toMatchObject({ result: { id: 'mine', sessionId: 'c', status: { state: 'working' } } });
    expect(JSON.stringify(body)).not.toContain('kind');
    for (const version of ['0.3', '0.2']) {
      const stated = await answer(request('tasks/get', { id: 'mine' }), { ...CALLER, versionHeader: version });
      expect(stated.body).toMatchObject({ result: { kind: 'task', id: 't', contextId: 'c' } });
    }
    const current = await answer(request('GetTask', { id: 'mine' }));
    expect(current.body).toMatchObject({ result: TASK });
  });

  it('answers any task in 0.1 where that is stated, by the name that the caller has for it', async () => {
    const caller = { ...CALLER, versionHeader: '0.1' };
    expect((await answer(request('tasks/get', { id: 't' }), caller)).body).toMatchObject({
      result: { id: 't', sessionId: 'c' },
    });
  });

  it('streams such a task in 0.1 by its old name, and in 0.3 by another', async () => {
    const textsOf = async (method: string, subject: Record<string, unknown> = { id: 'mine' }) => {
      const stream = (await dispatcher.dispatch(request(method, subject), CALLER)) as StreamOutcome;
      const elements = await lastValueFrom(stream.events.pipe(toArray()));
      return elements.flatMap(({ texts }) => texts).map((text) => JSON.parse(text) as object);
    };
    expect(await textsOf('tasks/resubscribe')).toMatchObject([
      { id: 1, result: { id: 'mine', status: { state: 'working' }, final: false } },
      { id: 1, result: { id: 'mine', status: { state: 'working' }, final: true } },
    ]);
    expect(await textsOf('tasks/subscribe')).toMatchObject([
      { result: { kind: 'task' } },
      { result: { kind: 'task' } },
    ]);
  });

  it('ends a stream with an error, and says so in the log, when an element cannot be written', async () => {
    lines.length = 0;
    const stream = (await dispatcher.dispatch(request('tasks/subscribe', { id: 'odd' }), CALLER)) as StreamOutcome;
    await expect(lastValueFrom(stream.events)).rejects.toThrow(TypeError);
    expect(lines[0]).toMatchObject({ level: 50, err: { type: 'TypeError' } });
  });

  it('writes bare elements, for which a call needs no id, and calls nothing but streams for them', async () => {
    executed.length = 0;
    const body = { jsonrpc: '2.0', method: 'tasks/resubscribe', params: { id: 'mine' } };
    const elements = await lastValueFrom(dispatcher.bareStream(body, CALLER).events.pipe(toArray()));
    expect(elements.flatMap(({ texts }) => texts).map((text) => JSON.parse(text) as object)).toEqual([
      { type: 'TaskStatusUpdateEvent', id: 'mine', status: expect.anything() as object, final: false },
      { type: 'TaskStatusUpdateEvent', id: 'mine', status: expect.anything() as object, final: true },
    ]);
    expect(() => dispatcher.bareStream(request('tasks/get', { id: 't' }), CALLER)).toThrow(FailedCall);
    expect(() => dispatcher.bareStream([body], CALLER)).toThrow(FailedCall);
    expect(executed).toEqual(['stream mine']);
  });

  it.each([...failures.keys()])('answers %s alike in a call, in a batch and before a stream', async (name) => {
    const { body } = await answer(request('_cleveragents/plan/fail', { name }));
    expect((await answer([request('_cleveragents/plan/fail', { name })])).body).toEqual([body]);
    const stream = (await dispatcher.dispatch(request('_cleveragents/plan/watch', { name }), CALLER)) as StreamOutcome;
    const cause: unknown = await lastValueFrom(stream.events).catch((error: unknown) => error);
    const early = JSON.parse(toErrorAnswer(new FailedCall(cause, stream.context, stream.idText)).body) as object;
    expect(early).toEqual(JSON.parse(JSON.stringify(body).replace('plan/fail', 'plan/watch')));
  });

  it('writes one line per call, with its code and without its params', async () => {
    lines.length = 0;
    await answer(request('_cleveragents/plan/show', { name: 'classified' }));
    await answer(request('_cleveragents/plan/show', { name: 'missing' }));
    await answer(request('tasks/get'), NOBODY);
    expect(lines).toMatchObject([
      { level: 30, msg: 'call', method: '_cleveragents/plan/show', principal: 'u', correlation_id: 'corr-1', code: 0 },
      { level: 30, code: -32001 },
      { level: 40, code: -31002, principal: null },
    ]);
    expect(JSON.stringify(lines)).not.toContain('classified');
  });

  it('keeps the cause of an unforeseen failure in the log', async () => {
    lines.length = 0;
    await answer(request('_cleveragents/plan/show', { name: 'bug' }));
    expect(lines[0]).toMatchObject({ level: 50, correlation_id: 'corr-1', err: { type: 'TypeError' } });
  });
});
