import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestingModule } from '@nestjs/testing';
import { LOCAL_OWNER } from '@cleveragents/auth';
import { Dispatcher, FailedCall, JsonRpcModule, JsonRpcRegistry, toErrorAnswer } from '@cleveragents/jsonrpc';
import { isJsonObject, type JsonObject, type Principal, type Role } from '@cleveragents/kernel';
import { createLogger, LoggingModule } from '@cleveragents/observability';
import { SampleRepository, TestDatabase } from '@cleveragents/testing';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTITY_CATALOGUE } from './kind/entity-catalogue.js';
import { RegistryModule } from './registry.module.js';
import { RegistryReader } from './registry-reader.js';
import { RegistryService } from './registry.service.js';

let database: TestDatabase;
let module: TestingModule;
let repository: SampleRepository;
let directory: string;

beforeAll(async () => {
  repository = SampleRepository.create();
  directory = mkdtempSync(join(tmpdir(), 'registry-'));
  database = await TestDatabase.create();
  const logging = LoggingModule.forRoot(createLogger({ level: 'silent', pretty: false }));
  module = await database.module({ imports: [logging, JsonRpcModule, RegistryModule] }).compile();
  await module.init();
});

afterAll(async () => {
  await module.close();
  await database.drop();
  repository.remove();
  rmSync(directory, { recursive: true });
});

interface Answer {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data: JsonObject };
}

function member(id: string, grants: Readonly<Record<string, Role>>): Principal {
  return {
    ...LOCAL_OWNER,
    id,
    kind: 'user',
    isServerAdmin: false,
    grants: new Map(Object.entries(grants)),
    personalNamespace: id,
  };
}

async function call(
  path: string,
  params: JsonObject,
  { as = LOCAL_OWNER, key = null }: { as?: Principal; key?: string | null } = {},
): Promise<Answer> {
  return callMethod(`_cleveragents/registry/${path}`, params, { as, key });
}

async function callMethod(
  method: string,
  params: JsonObject,
  { as, key }: { as: Principal; key: string | null },
): Promise<Answer> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const caller = {
    identity: as,
    transport: 'http',
    correlationId: 'test',
    versionHeader: undefined,
    versionQuery: undefined,
    extensions: [],
    idempotencyKey: key,
    lastEventId: null,
    signal: new AbortController().signal,
  } as const;
  try {
    const outcome = await module.get(Dispatcher).dispatch(body, caller);
    return outcome.kind === 'single' ? (JSON.parse(outcome.body) as Answer) : {};
  } catch (error) {
    if (!(error instanceof FailedCall)) throw error;
    return JSON.parse(toErrorAnswer(error).body) as Answer;
  }
}

async function succeed(path: string, params: JsonObject, options: { as?: Principal; key?: string } = {}) {
  const { result, error } = await call(path, params, options);
  expect(error).toBeUndefined();
  return result ?? {};
}

/** The JSON-RPC number, the reason and the paths of an error. */
async function refusal(path: string, params: JsonObject, options: { as?: Principal; key?: string } = {}) {
  const { error } = await call(path, params, options);
  const problems = Array.isArray(error?.data['errors']) ? error.data['errors'].filter(isJsonObject) : [];
  return { code: error?.code, reason: error?.data['reason'], paths: problems.map((problem) => problem['path']) };
}

function entityOf(view: JsonObject, kind: string): JsonObject {
  const entity = view[kind];
  return isJsonObject(entity) ? entity : {};
}

const EXCLAIM = {
  name: 'acme/exclaim',
  type: 'tool',
  strategies: [
    {
      id: 'edit-in-place',
      title: 'Edit the greeting and its test',
      when: { exists: 'src/greet.js' },
      confidence: 0.95,
      steps: ['bump-source', 'bump-test', 'changelog'],
    },
    { id: 'new-module', title: 'Add a second greeting module', steps: ['write-module'] },
  ],
  steps: [
    {
      id: 'bump-source',
      tool: 'builtin/edit_file',
      inputs: { path: 'src/greet.js', find: "'Hello, ' + name", replace: "'Hello, ' + name + '!'" },
    },
    {
      id: 'bump-test',
      tool: 'builtin/edit_file',
      inputs: { path: 'test/greet.test.js', find: "'Hello, Ada'", replace: "'Hello, Ada!'" },
    },
    {
      id: 'changelog',
      tool: 'builtin/write_file',
      inputs: { path: 'CHANGELOG.md', content: '# Changelog\n\n- {{args.note}}\n' },
      when: { not: { exists: 'CHANGELOG.md' } },
      on_error: 'stop',
    },
    {
      id: 'write-module',
      tool: 'builtin/write_file',
      inputs: { path: 'src/greet-loud.js', content: "export const greetLoud = (name) => 'Hello, ' + name + '!';\n" },
    },
  ],
};

describe('the setup of the worked example', () => {
  it('registers the resource and shows the head of its repository', async () => {
    const properties = { path: repository.path, branch: 'main' };
    const view = await succeed('resource/add', { name: 'acme/api-repo', type: 'git-checkout', properties });
    expect(view).toMatchObject({ revision: 1, created_by: 'local-owner', source: 'custom', referenced_by: [] });
    expect(entityOf(view, 'resource')).toMatchObject({
      name: 'acme/api-repo',
      type: 'git-checkout',
      properties,
      read_only: false,
      location: repository.path,
      head: { branch: 'main', commit: repository.head(), dirty: false },
      children: [{ type: 'git' }, { type: 'fs-directory' }],
    });
  });

  it('registers the project, which then shows the resource and is shown by it', async () => {
    const view = await succeed('project/add', { name: 'acme/api', resources: ['acme/api-repo'] });
    expect(entityOf(view, 'project')).toMatchObject({
      resources: ['acme/api-repo'],
      linked_resources: [
        { name: 'acme/api-repo', type: 'git-checkout', read_only: false, sandbox_strategy: 'git_worktree' },
      ],
      plans: { active: 0, total: 0 },
    });
    const resource = await succeed('resource/show', { name: 'acme/api-repo' });
    expect(resource['referenced_by']).toEqual([{ kind: 'project', name: 'acme/api' }]);
    expect(entityOf(resource, 'resource')['projects']).toEqual(['acme/api']);
  });

  it('registers the actor with its strategies and steps', async () => {
    const view = await succeed('actor/add', EXCLAIM);
    expect(view).toMatchObject({
      actor_details: { name: 'acme/exclaim', type: 'tool', provider: null },
      tools: ['builtin/edit_file', 'builtin/write_file'],
      access: { unsafe: false, filesystem: true, network: false },
      graph_structure: null,
    });
    expect(entityOf(view, 'actor')['steps']).toMatchObject([
      { id: 'bump-source', on_error: 'stop', confidence: 1 },
      { id: 'bump-test' },
      { id: 'changelog', when: { not: { exists: 'CHANGELOG.md' } } },
      { id: 'write-module' },
    ]);
  });

  it('registers the validation and attaches it to the project', async () => {
    const view = await succeed('validation/add', {
      name: 'acme/tests',
      mode: 'required',
      implementation: { kind: 'command', argv: ['node', '--test'] },
      attachments: [{ project: 'acme/api' }],
    });
    expect(entityOf(view, 'validation')).toMatchObject({
      description: 'node --test',
      source: 'command',
      attachments: [{ validation: 'acme/tests', mode: 'required', project: 'acme/api', scope: 'project' }],
    });
    const project = await succeed('project/show', { name: 'acme/api' });
    expect(entityOf(project, 'project')['validations']).toEqual([{ name: 'acme/tests', mode: 'required', args: {} }]);
  });

  it('registers the action', async () => {
    const view = await succeed('action/add', {
      name: 'acme/exclaim',
      description: 'End the greeting with an exclamation mark',
      definition_of_done: '- greeting changed\n- test updated\n- changelog written',
      strategy_actor: 'acme/exclaim',
      execution_actor: 'acme/exclaim',
      arguments: [{ name: 'note', type: 'string', required: true }],
    });
    expect(entityOf(view, 'action')).toMatchObject({ state: 'available', reusable: true, read_only: false });
    const actor = await succeed('actor/show', { name: 'acme/exclaim' });
    expect(actor['usage']).toMatchObject({ referenced_by_actions: ['acme/exclaim'] });
  });
});

/** A valid entity of every kind, and what the others need to exist first. */
function exampleOf(kind: string, name: string): JsonObject {
  const examples: Record<string, JsonObject> = {
    resource: { type: 'fs-directory', properties: { path: directory } },
    project: {},
    actor: { type: 'tool', steps: [{ id: 'read', tool: 'builtin/read_file', inputs: { path: 'README.md' } }] },
    action: {
      description: 'Read',
      definition_of_done: '- read',
      strategy_actor: 'builtin/strategist',
      execution_actor: 'builtin/executor',
    },
    validation: { mode: 'informational', implementation: { kind: 'command', argv: ['node', '--version'] } },
  };
  return { name, ...examples[kind] };
}

describe('the catalogue', () => {
  it('offers every verb of every kind as a method', () => {
    const names = module
      .get(JsonRpcRegistry)
      .list()
      .map(({ name }) => name);
    expect(names).toEqual([
      '_cleveragents/registry/action/add',
      '_cleveragents/registry/action/list',
      '_cleveragents/registry/action/show',
      '_cleveragents/registry/actor/add',
      '_cleveragents/registry/actor/list',
      '_cleveragents/registry/actor/show',
      '_cleveragents/registry/project/add',
      '_cleveragents/registry/project/list',
      '_cleveragents/registry/project/show',
      '_cleveragents/registry/resource/add',
      '_cleveragents/registry/resource/list',
      '_cleveragents/registry/resource/show',
      '_cleveragents/registry/validation/add',
      '_cleveragents/registry/validation/list',
      '_cleveragents/registry/validation/show',
    ]);
  });
});

describe.each(ENTITY_CATALOGUE)('every kind: $kind', ({ kind, plural }) => {
  const maintainer = member('mona', { contract: 'maintainer' });
  const viewer = member('vera', { contract: 'viewer', vera: 'owner' });
  const stranger = member('stan', { elsewhere: 'owner' });

  it('is added, shown and listed by a maintainer', async () => {
    const added = await succeed(`${kind}/add`, exampleOf(kind, 'Contract/First'), { as: maintainer });
    const shown = await succeed(`${kind}/show`, { name: 'contract/first' }, { as: viewer });
    expect(shown).toEqual(added);
    expect(entityOf(shown, kind)).toMatchObject({ name: 'contract/first', namespace: 'contract' });
    const list = await succeed(`${kind}/list`, { namespace: 'contract' }, { as: viewer });
    expect(list[plural]).toEqual(list['items']);
    expect(list['items']).toMatchObject([{ name: 'contract/first', revision: 1, source: 'custom' }]);
    expect(list).toMatchObject({
      filters: { namespace: 'contract' },
      next_cursor: null,
      summary: { total: 1, custom: 1 },
    });
  });

  it('is added once, whatever the case of its name', async () => {
    const { error } = await call(`${kind}/add`, exampleOf(kind, 'contract/FIRST'), { as: maintainer });
    expect(error).toMatchObject({ code: -32005, data: { kind, name: 'contract/first' } });
  });

  it('refuses unknown fields, on the outside and in a document', async () => {
    const wrong = { ...exampleOf(kind, 'contract/second'), surprise: 1 };
    expect(await refusal(`${kind}/add`, wrong, { as: maintainer })).toMatchObject({
      code: -32602,
      paths: ['surprise'],
    });
    expect(await refusal(`${kind}/add`, { config: wrong }, { as: maintainer })).toMatchObject({
      code: -32602,
      paths: ['surprise'],
    });
  });

  it('takes its fields from a document', async () => {
    const { name, ...fields } = exampleOf(kind, 'contract/from-config');
    await succeed(`${kind}/add`, { name: name ?? '', config: fields }, { as: maintainer });
    const yaml = JSON.stringify(exampleOf(kind, 'contract/from-yaml'));
    const view = await succeed(`${kind}/add`, { config_yaml: yaml }, { as: maintainer });
    expect(entityOf(view, kind)['name']).toBe('contract/from-yaml');
  });

  it('is added by nobody below maintainer', async () => {
    const { error } = await call(`${kind}/add`, exampleOf(kind, 'contract/third'), { as: viewer });
    expect(error).toMatchObject({ code: -32003, data: { required_role: 'maintainer', namespace: 'contract' } });
  });

  it('answers a stranger as if it did not exist', async () => {
    const hidden = await call(`${kind}/show`, { name: 'contract/first' }, { as: stranger });
    const missing = await call(`${kind}/show`, { name: 'contract/never' }, { as: stranger });
    expect(hidden.error).toMatchObject({ code: -32001, data: { kind, name: 'contract/first' } });
    expect(JSON.stringify(missing).replaceAll('never', 'first')).toBe(JSON.stringify(hidden));
    const add = await refusal(`${kind}/add`, exampleOf(kind, 'contract/first'), { as: stranger });
    expect(add).toMatchObject({ code: -32001, reason: 'NAMESPACE_NOT_FOUND' });
    expect(await refusal(`${kind}/list`, { namespace: 'contract' }, { as: stranger })).toMatchObject({ code: -32001 });
    const list = await succeed(`${kind}/list`, { include_builtin: false }, { as: stranger });
    expect(list).toMatchObject({ items: [], summary: { total: 0 } });
  });

  it('is readable by everybody once it is public', async () => {
    await succeed(`${kind}/add`, { ...exampleOf(kind, 'contract/open'), visibility: 'public' }, { as: maintainer });
    const view = await succeed(`${kind}/show`, { name: 'contract/open' }, { as: stranger });
    expect(entityOf(view, kind)).toMatchObject({ visibility: 'public' });
    const list = await succeed(`${kind}/list`, { include_builtin: false }, { as: stranger });
    expect(list['items']).toMatchObject([{ name: 'contract/open' }]);
  });

  it('is listed page by page without gap or repeat', async () => {
    const all = await succeed(`${kind}/list`, {}, { as: viewer });
    const names: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await succeed(
        `${kind}/list`,
        { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
        { as: viewer },
      );
      for (const item of page['items'] as JsonObject[]) names.push(item['name']);
      cursor = typeof page['next_cursor'] === 'string' ? page['next_cursor'] : undefined;
    } while (cursor !== undefined);
    expect(names).toEqual((all['items'] as JsonObject[]).map((item) => item['name']));
    expect(names).toHaveLength((all['summary'] as JsonObject)['total'] as number);
    expect(await refusal(`${kind}/list`, { cursor: 'garbage' })).toMatchObject({ code: -32602, paths: ['cursor'] });
    expect(await refusal(`${kind}/list`, { limit: 201 })).toMatchObject({ code: -32602, paths: ['limit'] });
  });

  it('is added once for one idempotency key, however often the call is repeated', async () => {
    const params = { ...exampleOf(kind, 'contract/once'), idempotency_key: `${kind}-1` };
    const answers = await Promise.all([1, 2, 3].map(() => succeed(`${kind}/add`, params, { as: maintainer })));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const other = exampleOf(kind, 'contract/twice');
    expect(await refusal(`${kind}/add`, other, { as: maintainer, key: `${kind}-1` })).toMatchObject({
      code: -32602,
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('leaves one audit record for each change and none for a refusal', async () => {
    const rows: { entity: string; event: string }[] = await module
      .get(DataSource)
      .query(`SELECT event, entity FROM audit WHERE entity LIKE $1`, [`%"kind":"${kind}"%"contract/%`]);
    const names = rows.map(({ entity }) => (JSON.parse(entity) as { name: string }).name).sort();
    expect(names).toEqual(['first', 'from-config', 'from-yaml', 'once', 'open'].map((name) => `contract/${name}`));
    expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(['config_changed']));
  });

  it('shows an earlier revision by number and refuses one that never was', async () => {
    expect(await succeed(`${kind}/show`, { name: 'contract/first', revision: 1 })).toMatchObject({ revision: 1 });
    expect(await refusal(`${kind}/show`, { name: 'contract/first', revision: 2 })).toMatchObject({ code: -32001 });
    expect(await refusal(`${kind}/show`, { name: 'contract/first', revision: 2 ** 31 })).toMatchObject({
      code: -32602,
    });
  });
});

describe('references', () => {
  it('must name something that exists, and every one that does not is told', async () => {
    expect(await refusal('project/add', { name: 'acme/ghost', resources: ['acme/none', 'acme/nil'] })).toEqual({
      code: -32602,
      reason: 'UNRESOLVED_REFERENCE',
      paths: ['resources.0', 'resources.1'],
    });
    expect(
      await refusal('actor/add', {
        ...EXCLAIM,
        name: 'acme/toolless',
        steps: [{ id: 'x', tool: 'builtin/none' }],
        strategies: [],
      }),
    ).toMatchObject({ reason: 'UNRESOLVED_REFERENCE', paths: ['steps.0.tool'] });
    expect(await refusal('project/show', { name: 'acme/ghost' })).toMatchObject({ code: -32001 });
  });

  it('must not name what the author cannot see', async () => {
    const eve = member('eve', { eve: 'owner' });
    expect(
      await refusal('project/add', { name: 'eve/steal', resources: ['acme/api-repo'] }, { as: eve }),
    ).toMatchObject({
      code: -32602,
      reason: 'UNRESOLVED_REFERENCE',
    });
  });

  it('to a resource that plans may change need maintainer where the resource lives', async () => {
    const bob = member('bob', { bob: 'owner', acme: 'viewer' });
    expect(
      await refusal('project/add', { name: 'bob/reach', resources: ['acme/api-repo'] }, { as: bob }),
    ).toMatchObject({
      code: -32003,
    });
    const resource = { type: 'fs-directory', properties: { path: directory }, read_only: true };
    await succeed('resource/add', { name: 'acme/manual', ...resource });
    await succeed('project/add', { name: 'bob/reader', resources: ['acme/manual'] }, { as: bob });
    const attached = { ...exampleOf('validation', 'bob/spy'), attachments: [{ resource: 'acme/manual' }] };
    expect(await refusal('validation/add', attached, { as: bob })).toMatchObject({ code: -32003 });
  });
});

describe('validations', () => {
  it('are refused when their command holds control characters, save those of a script', async () => {
    const validation = (argument: string) => ({
      name: 'acme/scripted',
      mode: 'required',
      implementation: { kind: 'command', argv: ['node', '-e', argument] },
    });
    for (const argument of ['\u0000', 'a\u0007b', '\u001b[0m', '\u007f']) {
      expect(await refusal('validation/add', validation(argument))).toMatchObject({
        code: -32602,
        paths: ['implementation.argv.2'],
      });
    }
    await succeed('validation/add', validation('const a = 1;\r\n\tprocess.exit(a - 1);\n'));
  });
});

describe('resources', () => {
  const add = (properties: JsonObject, type = 'git-checkout') =>
    refusal('resource/add', { name: 'acme/wrong', type, properties });

  it('are refused when the place is not what the type says', async () => {
    expect(await add({ path: directory })).toMatchObject({ code: -32602, paths: ['properties.path'] });
    expect(await add({ path: '/no/such/place' })).toMatchObject({ code: -32602, paths: ['properties.path'] });
    expect(await add({ path: 'relative' }, 'fs-directory')).toMatchObject({ code: -32602, paths: ['properties.path'] });
    expect(await add({ path: repository.path, branch: 'nope' })).toMatchObject({ paths: ['properties.branch'] });
  });

  it.each(['a b', 'main^', 'a\0b', '', '-x'])('are refused when %j is no branch name', async (branch) => {
    expect(await add({ path: repository.path, branch })).toMatchObject({ code: -32602, paths: ['properties.branch'] });
    const document = { type: 'git-checkout', properties: { path: repository.path, branch } };
    const config_yaml = JSON.stringify(document).replace('\\u0000', '\\0');
    const error = await refusal('resource/add', { name: 'acme/wrong', config_yaml });
    expect(error).toMatchObject({ code: -32602 });
  });

  it('have the properties of their type and no others', async () => {
    expect(await add({})).toMatchObject({ code: -32602, paths: ['properties.path'] });
    expect(await add({ path: directory, branch: 'main' }, 'fs-directory')).toMatchObject({
      paths: ['properties.branch'],
    });
    expect(await add({ path: directory }, 'acme/unknown')).toMatchObject({
      reason: 'UNRESOLVED_REFERENCE',
      paths: ['type'],
    });
  });

  it('still show when their place is gone, with a warning', async () => {
    const place = mkdtempSync(join(tmpdir(), 'gone-'));
    await succeed('resource/add', { name: 'acme/gone', type: 'fs-directory', properties: { path: place } });
    rmSync(place, { recursive: true });
    const view = await succeed('resource/show', { name: 'acme/gone' });
    expect(view['warnings']).toHaveLength(1);
    expect(entityOf(view, 'resource')).toMatchObject({ location: place, head: null });
  });
});

describe('actors', () => {
  it('on a model name it by provider and model, or by both in one', async () => {
    const view = await succeed('actor/add', { name: 'acme/planner', type: 'llm', config: { actor: 'openai/gpt-4o' } });
    expect(entityOf(view, 'actor')).toMatchObject({ type: 'llm', provider: 'openai', model: 'gpt-4o', skills: [] });
    expect(await refusal('actor/add', { name: 'acme/coder', type: 'llm' })).toMatchObject({
      paths: ['provider', 'model'],
    });
    const twofold = { name: 'acme/coder', type: 'llm', actor: 'openai/gpt-4o', model: 'gpt-4o' };
    expect(await refusal('actor/add', twofold)).toMatchObject({ paths: ['actor'] });
  });

  it('join other actors and tools in a graph', async () => {
    const yaml = [
      'name: acme/team',
      'type: graph',
      'graph:',
      '  nodes:',
      '    - { id: plan, type: llm, actor: acme/planner }',
      '    - { id: edit, type: tool, tool: builtin/edit_file }',
      '  edges: [{ from: plan, to: edit }]',
      '  entry: plan',
      '  exits: [edit]',
    ];
    const view = await succeed('actor/add', { config_yaml: yaml.join('\n') });
    expect(view).toMatchObject({ graph_structure: { entry: 'plan', exit: ['edit'] }, tools: ['builtin/edit_file'] });
    const planner = await succeed('actor/show', { name: 'acme/planner' });
    expect(planner['referenced_by']).toEqual([{ kind: 'actor', name: 'acme/team' }]);
  });

  it('have the fields of their type and no others', async () => {
    const actor = {
      ...EXCLAIM,
      name: 'acme/mixed',
      model: 'gpt-4o',
      graph: { nodes: [], edges: [], entry: '', exits: [] },
    };
    expect(await refusal('actor/add', actor)).toMatchObject({ paths: ['graph.nodes'] });
    expect(await refusal('actor/add', { name: 'acme/mixed', type: 'tool', model: 'gpt-4o' })).toMatchObject({
      paths: ['model', 'steps'],
    });
  });
});

describe('names', () => {
  it('of built-in entities are taken, and their namespaces closed', async () => {
    const { name: _, ...fields } = EXCLAIM;
    const taken = await call('actor/add', { ...fields, name: 'builtin/strategist' });
    expect(taken.error).toMatchObject({ code: -32005, data: { kind: 'actor', name: 'builtin/strategist' } });
    for (const name of ['builtin/mine', 'openai/mine', 'system/mine']) {
      expect(await refusal('actor/add', { ...fields, name })).toMatchObject({
        code: -32602,
        reason: 'RESERVED_NAMESPACE',
      });
    }
  });

  it('without a namespace belong to the caller', async () => {
    const view = await succeed('project/add', { name: 'bare' });
    expect(entityOf(view, 'project')['name']).toBe('local/bare');
    const carol = member('carol', { carol: 'owner' });
    const own = await succeed('project/add', { name: 'bare' }, { as: carol });
    expect(entityOf(own, 'project')['name']).toBe('carol/bare');
    expect(await refusal('project/add', { name: 'local/bare' }, { as: carol })).toMatchObject({
      reason: 'LOCAL_NAMESPACE_ON_SERVER',
    });
  });
});

describe('built-in entities', () => {
  it('are listed first, filtered like the others, and shown to everybody', async () => {
    const nobody = member('nobody', {});
    const list = await succeed('actor/list', { filter: { type: 'tool' } }, { as: nobody });
    expect(list['items']).toMatchObject([
      { name: 'builtin/assistant', default: true, source: 'built-in' },
      { name: 'builtin/executor' },
      { name: 'builtin/strategist' },
      { name: 'contract/open', source: 'custom' },
    ]);
    expect(await succeed('actor/list', { filter: { type: 'llm' } }, { as: nobody })).toMatchObject({ items: [] });
    const shown = await succeed('validation/show', { name: 'builtin/command-passes' }, { as: nobody });
    expect(shown).toMatchObject({ source: 'built-in', created_by: 'system' });
  });
});

describe('lists', () => {
  it('of actions are filtered by state and counted by it', async () => {
    const action = { ...exampleOf('action', 'counted/draft'), state: 'draft' };
    await succeed('action/add', action);
    await succeed('action/add', exampleOf('action', 'counted/ready'));
    const list = await succeed('action/list', { namespace: 'counted', filter: { state: 'draft' } });
    expect(list['items']).toMatchObject([{ name: 'counted/draft', state: 'draft', plans: 0 }]);
    expect(await succeed('action/list', { namespace: 'counted' })).toMatchObject({
      summary: { total: 2, available: 1, draft: 1, archived: 0 },
    });
  });

  it('refuse a namespace that does not exist, and filters of another kind', async () => {
    expect(await refusal('action/list', { namespace: 'nowhere' })).toMatchObject({ code: -32001 });
    expect(await refusal('action/list', { filter: { type: 'llm' } })).toMatchObject({ paths: ['filter.type'] });
    expect(await succeed('action/list', { namespace: 'local' })).toMatchObject({ items: [] });
  });
});

describe('the deprecated name of the list of resources', () => {
  it('answers the same list', async () => {
    const params = { namespace: 'acme' };
    const old = await callMethod('registry.list_resources', params, { as: LOCAL_OWNER, key: null });
    const { items } = await succeed('resource/list', params);
    expect(old.result?.['items']).toEqual(items);
  });
});

describe('documents', () => {
  it('must not hold credentials', async () => {
    const remote = { name: 'acme/remote', type: 'a2a', card_url: 'https://agents.example.com/card' };
    const inline = { ...remote, card: { headers: { authorization: 'Bearer abc' } } };
    expect(await refusal('actor/add', inline)).toMatchObject({ code: -32602, paths: ['card.headers.authorization'] });
    await succeed('actor/add', { ...remote, auth: { scheme: 'bearer', secret_ref: 'env:REMOTE_TOKEN' } });
  });

  it.each(['\\0', '\\uD800'])('are refused when a text holds %s, also in YAML', async (escape) => {
    const config_yaml = `description: "a${escape}b"`;
    const error = await refusal('project/add', { name: 'acme/nul', config_yaml });
    expect(error).toMatchObject({ code: -32602, paths: ['description'] });
  });

  it('are refused when a field stands in them and beside them', async () => {
    const { name: _, ...fields } = exampleOf('actor', 'acme/both');
    expect(await refusal('actor/add', { name: 'acme/both', type: 'tool', config: fields })).toMatchObject({
      paths: ['config.type'],
    });
  });
});

describe('the reader', () => {
  it('knows the automation profiles and refuses others by name', async () => {
    const reader = module.get(RegistryReader);
    const ci = await reader.automationProfile('ci', LOCAL_OWNER);
    expect(ci.spec).toMatchObject({ unattended: true, phase_gates: { apply: 'auto' } });
    await expect(reader.automationProfile('careless', LOCAL_OWNER)).rejects.toMatchObject({
      reason: 'UNKNOWN_AUTOMATION_PROFILE',
    });
  });

  it('finds the validations of a project and its resources, each once, the project’s word first', async () => {
    const checks = exampleOf('validation', 'acme/checks');
    await succeed('resource/add', { ...exampleOf('resource', 'acme/docs') });
    await succeed('validation/add', { ...checks, attachments: [{ resource: 'acme/docs', args: { strict: true } }] });
    const validations = [{ name: 'acme/checks', mode: 'required' }];
    await succeed('project/add', { name: 'acme/book', resources: ['acme/docs'], validations });
    await succeed('validation/add', { ...checks, name: 'acme/late', attachments: [{ project: 'acme/book' }] });
    const reader = module.get(RegistryReader);
    const project = await reader.get('project', 'acme/book', LOCAL_OWNER);
    const resource = await reader.get('resource', 'acme/docs', LOCAL_OWNER);
    const attached = await reader.validationsAttachedTo(project, [resource]);
    expect(
      attached.map(({ validation, mode, scope, target, args }) => [validation.name, mode, scope, target, args]),
    ).toEqual([
      ['acme/checks', 'required', 'project', 'acme/book', {}],
      ['acme/late', 'informational', 'project', 'acme/book', {}],
      ['acme/checks', 'informational', 'resource', 'acme/docs', { strict: true }],
    ]);
  });
});

describe('archiving an action', () => {
  it('makes a new revision and keeps the old one readable', async () => {
    await succeed('action/add', exampleOf('action', 'acme/single-use'));
    const action = await module.get(RegistryReader).get('action', 'acme/single-use', LOCAL_OWNER);
    const origin = { userIdentity: LOCAL_OWNER.id, tokenId: null, method: 'test', correlationId: 'test' };
    const service = module.get(RegistryService);
    await service.archiveAction(action, { principal: LOCAL_OWNER, origin });
    await service.archiveAction(action, { principal: LOCAL_OWNER, origin });
    const shown = await succeed('action/show', { name: 'acme/single-use' });
    expect(shown).toMatchObject({ revision: 2, action: { state: 'archived' } });
    const first = await succeed('action/show', { name: 'acme/single-use', revision: 1 });
    expect(first).toMatchObject({ revision: 1, action: { state: 'available' } });
  });
});
