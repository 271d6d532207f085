import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@cleveragents/kernel';
import { SampleRepository, ServerProcess, TestDatabase, makeTestDirectory } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: TestDatabase;
let repository: SampleRepository;
let server: ServerProcess;
let directory: string;

beforeAll(async () => {
  database = await TestDatabase.create();
  repository = SampleRepository.create();
  directory = await makeTestDirectory();
  server = await ServerProcess.start(database.variables());
});

afterAll(async () => {
  await server.end('SIGTERM');
  repository.remove();
  await database.drop();
});

async function call(method: string, params: JsonObject): Promise<JsonObject> {
  const { result, error } = await server.call(`_cleveragents/${method}`, params);
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as JsonObject;
}

/** Ends at once when it has run before; the first time it waits until it loses its parent. */
const SCRIPT = `
  const { existsSync, renameSync, writeFileSync } = require('node:fs');
  const marker = process.argv[1];
  if (existsSync(marker)) { writeFileSync('out.txt', 'done'); process.exit(0); }
  writeFileSync('half-done.txt', 'half');
  writeFileSync(marker + '.new', '');
  renameSync(marker + '.new', marker);
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.exit(1); }, 20);`;

async function register(marker: string): Promise<void> {
  const path = repository.path;
  await call('registry/resource/add', { name: 'acme/repo', type: 'git-checkout', properties: { path } });
  await call('registry/project/add', { name: 'acme/api', resources: ['acme/repo'] });
  const write = { id: 'write', tool: 'builtin/write_file', inputs: { path: 'a.txt', content: 'a' } };
  const wait = { id: 'wait', tool: 'builtin/run_command', inputs: { argv: ['node', '-e', SCRIPT, marker] } };
  await call('registry/actor/add', { name: 'acme/worker', type: 'tool', steps: [write, wait] });
  await call('registry/action/add', {
    name: 'acme/work',
    description: 'Work',
    definition_of_done: 'worked',
    strategy_actor: 'acme/worker',
    execution_actor: 'acme/worker',
  });
}

async function appears(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(directory, look);
    function look(): void {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    }
    look();
  });
}

describe('kill -9 in the middle of a plan’s step', () => {
  it('costs no more than that step: the next server goes on from the last checkpoint', async () => {
    const marker = join(directory, 'marker');
    await register(marker);
    const use = { action_name: 'acme/work', project_names: ['acme/api'], automation_profile: 'auto' };
    const { plan_id } = await call('plan/use', use);
    await appears(marker);
    await server.end('SIGKILL');
    server = await ServerProcess.start(database.variables());
    const executed = await call('plan/execute', { plan_id, wait: true });
    expect(executed).toMatchObject({ status: 'execute/complete', attempt: 1 });
    const { files } = await call('plan/diff', { plan_id });
    expect((files as JsonObject[]).map(({ path }) => path)).toEqual(['a.txt', 'out.txt']);
    expect(await call('plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
    expect(readFileSync(join(repository.path, 'out.txt'), 'utf8')).toBe('done');
  });
});
