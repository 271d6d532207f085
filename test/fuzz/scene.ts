import { randomUUID } from 'node:crypto';
import type { ServerProcess } from '@cleveragents/testing';
import type { KnownValues } from './schema-sample.js';
import type { ValidRequest } from './valid-request.js';

const ACTOR = 'local/writer';
const ACTION = 'local/note';
const PROJECT = 'local/api';
const RESOURCE = 'local/repo';

/** What there is on the server, so that requests reach what lies behind the look-up of a name. */
export interface Scene {
  readonly values: KnownValues;
  /** The calls that made it: valid documents, which a schema alone does not tell. */
  readonly requests: readonly ValidRequest[];
}

export async function makeScene(server: ServerProcess, repositoryPath: string): Promise<Scene> {
  const tasks = await Promise.all(['echo: done', 'ask: which?', 'auth: log in'].map((text) => taskOf(server, text)));
  const requests = registrations(repositoryPath);
  for (const { method, params } of requests) await ask(server, method, params);
  const plans = [];
  for (let count = 0; count < 3; count += 1)
    plans.push(await ask<{ plan_id?: string }>(server, USE.method, USE.params));
  const planIds = plans.map(({ plan_id }) => plan_id).filter((id) => id !== undefined);
  return { values: valuesOf(tasks, planIds, repositoryPath), requests: [...requests, USE] };
}

const USE: ValidRequest = {
  method: '_cleveragents/plan/use',
  params: { action_name: ACTION, project_names: [PROJECT], arguments: { note: 'fuzz' } },
};

function registrations(path: string): ValidRequest[] {
  return [
    add('resource', { name: RESOURCE, type: 'git-checkout', properties: { path, branch: 'main' } }),
    add('project', { name: PROJECT, resources: [RESOURCE] }),
    add('actor', {
      name: ACTOR,
      type: 'tool',
      steps: [{ id: 'log', tool: 'builtin/write_file', inputs: { path: 'NOTE.md', content: '{{args.note}}' } }],
    }),
    add('action', {
      name: ACTION,
      description: 'Writes a note.',
      definition_of_done: '- note written',
      strategy_actor: ACTOR,
      execution_actor: ACTOR,
      arguments: [{ name: 'note', type: 'string', required: true }],
    }),
  ];
}

function add(kind: string, params: ValidRequest['params']): ValidRequest {
  return { method: `_cleveragents/registry/${kind}/add`, params };
}

function valuesOf(tasks: readonly TaskIds[], planIds: readonly string[], repositoryPath: string): KnownValues {
  const ids = [...tasks.map(({ id }) => id), 'no-such-task'];
  return {
    id: ids,
    taskId: ids,
    contextId: tasks.map(({ contextId }) => contextId),
    message: MESSAGES,
    url: ['http://127.0.0.1:9/hook'],
    authentication: [{ scheme: 'Bearer', credentials: 'secret' }],
    plan_id: [...planIds, 'no-such-plan'],
    action_name: [ACTION],
    action: [ACTION],
    project: [PROJECT],
    project_names: [PROJECT, [PROJECT]],
    name: [ACTION, PROJECT, RESOURCE, ACTOR, 'local/other'],
    namespace: ['local'],
    tenant: ['local'],
    arguments: [{ note: 'fuzz' }],
    metadata: [{}, { afterSeq: 1 }, { idempotencyKey: 'key' }],
    config: [{ type: 'git-checkout', properties: { path: repositoryPath } }],
    properties: [{ path: repositoryPath, branch: 'main' }],
    resources: [[RESOURCE]],
    strategy_actor: [ACTOR],
    execution_actor: [ACTOR],
  };
}

/** The same in the spelling of each generation of A2A. */
const MESSAGES: readonly object[] = [
  { messageId: 'tck-complete-task', role: 'ROLE_USER', parts: [{ text: 'echo: a' }] },
  { messageId: 'tck-artifact-data', role: 'ROLE_USER', parts: [{ data: { a: [1] } }, { raw: 'AAEC' }] },
  { messageId: 'tck-message-response', role: 'ROLE_USER', parts: [{ url: 'https://example.com/a' }] },
  { kind: 'message', messageId: 'tck-artifact-text', role: 'user', parts: [{ kind: 'text', text: 'echo: b' }] },
  { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'file', file: { bytes: 'AAEC', name: 'a' } }] },
  { role: 'user', parts: [{ type: 'text', text: 'chunks: a|b' }] },
  { messageId: 'n', role: 'ROLE_USER', parts: [{ text: `use ${ACTION} on ${PROJECT} note="fuzz"` }] },
  {
    messageId: 'o',
    role: 'ROLE_USER',
    parts: [{ data: { action_name: ACTION, project_names: [PROJECT], arguments: { note: 'x' } } }],
  },
  { messageId: 'p', role: 'ROLE_USER', parts: [{ text: 'approve' }] },
];

interface TaskIds {
  readonly id: string;
  readonly contextId: string;
}

async function taskOf(server: ServerProcess, text: string): Promise<TaskIds> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
  return (await ask<{ task: TaskIds }>(server, 'SendMessage', { message })).task;
}

async function ask<T>(server: ServerProcess, method: string, params: object): Promise<T> {
  const { result, error } = await server.call(method, params);
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}
