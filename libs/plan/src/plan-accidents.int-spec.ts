import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXCLAIM_ACTOR, PlanScene, type Example } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open({ variables: { COMMAND_ALLOW: 'node,no-such-program' } });
});

afterAll(async () => {
  await scene.close();
});

/** A plan that is ready to be applied. */
async function ready(): Promise<{ example: Example; plan_id: string }> {
  const example = await scene.example({ validation: null });
  const plan_id = await scene.use(example, { automation_profile: 'auto' });
  expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/complete' });
  return { example, plan_id };
}

/** A plan whose second step ran `script` (with the path of the repository) and failed, unless the file `mended` is there. */
async function failed(script: string): Promise<{ example: Example; plan_id: string }> {
  const [bump = {}] = EXCLAIM_ACTOR['steps'] as JsonObject[];
  const code = `const fs = require('node:fs'), [root] = process.argv.slice(1);
    if (!fs.existsSync(root + '.mended')) { ${script}; fs.writeFileSync(root + '.mended', ''); process.exit(1); }
    fs.writeFileSync('out.txt', 'done');`;
  const argv = ['node', '-e', code, '{{args.note}}'];
  const command = { id: 'command', tool: 'builtin/run_command', inputs: { argv } };
  const example = await scene.example({ actor: { type: 'tool', steps: [bump, command] }, validation: null });
  const note = example.repository.path;
  const plan_id = await scene.use(example, { automation_profile: 'auto', arguments: { note } });
  expect(await scene.atRest(plan_id)).toMatchObject({ status: 'execute/errored' });
  return { example, plan_id };
}

function status(plan_id: string): Promise<JsonObject> {
  return scene.ok('_cleveragents/plan/status', { plan_id });
}

describe('a target that was rewritten before apply', () => {
  it('constrains the plan by name, and the steps run again on what is there now', async () => {
    const { example, plan_id } = await ready();
    example.repository.git('commit', '--quiet', '--amend', '-m', 'the first commit, written anew');
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id });
    expect(error).toMatchObject({ code: -32008, data: { reason: 'TARGET_REWRITTEN', state: 'constrained' } });
    expect(error.data['allowed']).toContain('plan/execute');
    const again = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(again).toMatchObject({ status: 'execute/complete', attempt: 2 });
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
  });
});

describe('a repository that is lost before apply', () => {
  it.each(['.', '.git/objects'])('(%s) is named, and the plan is applied once it is back', async (lost) => {
    const { example, plan_id } = await ready();
    const path = join(example.repository.path, lost);
    renameSync(path, `${example.repository.path}.aside`);
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id });
    expect(error.data).toMatchObject({ reason: 'TARGET_MISSING' });
    expect(error.data['allowed']).toContain('plan/apply');
    const diff = await scene.refused('_cleveragents/plan/diff', { plan_id });
    expect(diff).toMatchObject({ code: -32004, data: { reason: 'TARGET_MISSING' } });
    renameSync(`${example.repository.path}.aside`, path);
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
  });
});

describe('what is lost while a plan is carried out', () => {
  it('the repository: the plan and its diff name it', async () => {
    const { plan_id } = await failed('fs.rmSync(root, { recursive: true })');
    const error = await scene.refused('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(error.data).toMatchObject({ reason: 'TARGET_MISSING' });
    const diff = await scene.refused('_cleveragents/plan/diff', { plan_id });
    expect(diff).toMatchObject({ code: -32004, data: { reason: 'TARGET_MISSING' } });
  });

  it.each([
    ['sandbox', 'fs.rmSync(process.cwd(), { recursive: true })'],
    ['git directory of the sandbox', `fs.rmSync(root + '/.git/worktrees', { recursive: true })`],
  ])('the %s: it is made again from the last checkpoint', async (_, script) => {
    const { example, plan_id } = await failed(script);
    expect(await status(plan_id)).toMatchObject({ error: { recoverable: true } });
    const again = await scene.ok('_cleveragents/plan/execute', { plan_id, wait: true });
    expect(again).toMatchObject({ status: 'execute/complete' });
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
    expect(example.repository.git('show', 'main:out.txt')).toBe('done');
    expect(existsSync(join(example.repository.path, '.git/worktrees', plan_id))).toBe(false);
  });
});

describe('a validation that cannot start', () => {
  it.each([
    ['pytest', 'COMMAND_NOT_ALLOWED', false],
    ['no-such-program', 'VALIDATION_FAILED', true],
  ])('(%s) is named in the error of the plan', async (program, reason, recoverable) => {
    const example = await scene.example({ validation: [program] });
    const plan_id = await scene.use(example, { automation_profile: 'auto' });
    const { error } = await scene.atRest(plan_id);
    expect(error).toMatchObject({ reason, recoverable });
    expect(JSON.stringify(error)).toContain(`${example.namespace}/tests`);
  });
});

describe('project_names', () => {
  it('names no project twice, however it is spelled', async () => {
    const { action, project } = await scene.example();
    const names = [project, project.toUpperCase()];
    const params = { action_name: action, project_names: names, arguments: { note: 'x' } };
    const error = await scene.refused('_cleveragents/plan/use', params);
    expect(error).toMatchObject({ code: -32602, data: { errors: [{ path: 'project_names.1' }] } });
  });

  it.each([
    [[], 'project_names must NOT have fewer than 1 items'],
    [7, 'project_names must be string,array'],
    [['a', 7], 'project_names.1 must be string'],
  ])('%j is refused in words that can be read', async (project_names, problem) => {
    const error = await scene.refused('_cleveragents/plan/use', { action_name: 'a/b', project_names });
    expect(error).toMatchObject({ code: -32602, message: `Invalid params: ${problem}` });
  });
});

describe('target_branch', () => {
  it.each(['a b', 'main^', '../x', '', 'HEAD', '-x', 'x\0y', '@{-1}'])('%j is refused at once', async (branch) => {
    const params = { plan_id: '01KBA7Q2000000000000000000', target_branch: branch };
    const error = await scene.refused('_cleveragents/plan/apply', params);
    expect(error).toMatchObject({ code: -32602, data: { errors: [{ path: 'target_branch' }] } });
  });

  it('that does not exist is named, and the plan stays as it was', async () => {
    const { plan_id } = await ready();
    const error = await scene.refused('_cleveragents/plan/apply', { plan_id, target_branch: 'release' });
    expect(error).toMatchObject({ code: -32004, data: { reason: 'TARGET_MISSING', branch: 'release' } });
    expect(await status(plan_id)).toMatchObject({ status: 'execute/complete', awaiting: { kind: 'phase_gate' } });
    expect(await scene.ok('_cleveragents/plan/apply', { plan_id })).toMatchObject({ status: 'apply/applied' });
  });
});
