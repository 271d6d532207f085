import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@cleveragents/kernel';
import { SampleRepository, makeTestDirectory, type ServerProcess } from '@cleveragents/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { frameOf, ok, ServerPair, subscribe } from './server-pair.js';

/** Says that it has begun, and ends when it is told to. */
const SCRIPT = `
  const { existsSync, renameSync, writeFileSync } = require('node:fs');
  const [begun, go] = process.argv.slice(1);
  writeFileSync('out.txt', 'done');
  writeFileSync(begun + '.new', '');
  renameSync(begun + '.new', begun);
  setInterval(() => { if (existsSync(go)) process.exit(0); }, 10);`;

let pair: ServerPair;
let repository: SampleRepository;
let directory: string;

beforeAll(async () => {
  pair = await ServerPair.create();
  repository = SampleRepository.create();
});

beforeEach(async () => {
  directory = await makeTestDirectory();
});

afterEach(() => pair.stop());

afterAll(async () => {
  repository.remove();
  await pair.database.drop();
});

const call = (server: ServerProcess, method: string, params: JsonObject): Promise<JsonObject> =>
  ok<JsonObject>(server, `_cleveragents/${method}`, params);

async function register(server: ServerProcess): Promise<void> {
  const argv = ['node', '-e', SCRIPT, join(directory, 'begun'), join(directory, 'go')];
  const properties = { path: repository.path };
  const steps = [{ id: 'wait', tool: 'builtin/run_command', inputs: { argv } }];
  await call(server, 'registry/resource/add', { name: 'acme/repo', type: 'git-checkout', properties });
  await call(server, 'registry/project/add', { name: 'acme/api', resources: ['acme/repo'] });
  await call(server, 'registry/actor/add', { name: 'acme/worker', type: 'tool', steps });
  await call(server, 'registry/action/add', {
    name: 'acme/work',
    description: 'Work',
    definition_of_done: 'worked',
    strategy_actor: 'acme/worker',
    execution_actor: 'acme/worker',
  });
}

async function appears(name: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(directory, look);
    function look(): void {
      if (!existsSync(join(directory, name))) return;
      watcher.close();
      resolve();
    }
    look();
  });
}

describe('a plan that another server runs', () => {
  it('is streamed and waited for as where it runs', async () => {
    // The one that is asked runs no plans.
    const [worker, asked] = [await pair.start(), await pair.start({ ROLE: 'api' })];
    await register(asked);
    const use = { action_name: 'acme/work', project_names: ['acme/api'], automation_profile: 'auto' };
    const { plan_id, task_id } = await call(asked, 'plan/use', use);
    await appears('begun');
    const readers = [await subscribe(asked, String(task_id)), await subscribe(worker, String(task_id))];
    for (const reader of readers) await reader.take();
    const executed = call(asked, 'plan/execute', { plan_id: String(plan_id), wait: true });
    writeFileSync(join(directory, 'go'), '');
    expect(await executed).toMatchObject({ status: 'execute/complete' });
    expect(await call(asked, 'plan/apply', { plan_id: String(plan_id), wait: true })).toMatchObject({
      status: 'apply/applied',
    });
    expect(readFileSync(join(repository.path, 'out.txt'), 'utf8')).toBe('done');
    const [here, there] = await Promise.all(readers.map((reader) => reader.rest()));
    expect(here?.map(frameOf).at(-1)).toMatchObject({ final: true, status: { state: 'completed' } });
    expect(here?.map(({ answer }) => answer)).toEqual(there?.map(({ answer }) => answer));
  });
});
