import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { DemoClient } from './client.mjs';
import { entities } from './entities.mjs';
import { git, makeRepository } from './repository.mjs';
import { startServer } from './server.mjs';
import { diff, heading, line, progress, tree } from './terminal.mjs';

/** A whole plan on a sample repository, as a user would drive it: register, use, watch, execute, review, apply, undo. */
async function demo(client, repository) {
  heading('A sample repository');
  makeRepository(repository);
  line(`${repository} on branch main: ${git(repository, 'log', '--oneline').trim()}`);

  heading('The team registers what it works with');
  for (const [kind, entity] of entities(repository)) {
    await client.call(`_cleveragents/registry/${kind}/add`, entity);
    line(`${pc.green('✓')} ${kind} ${entity.name}`);
  }

  heading('plan/use: an action on a project becomes a plan');
  const plan = await client.call('_cleveragents/plan/use', {
    action_name: 'acme/exclaim',
    project_names: ['acme/api'],
    arguments: { note: 'greeting now ends with an exclamation mark' },
  });
  line(`plan ${plan.plan_id}, task ${plan.task_id}, profile ${plan.automation_profile}`);

  await watch(
    client,
    plan.task_id,
    () => execute(client, plan.plan_id),
    () => apply(client, plan.plan_id),
  );

  const status = await client.call('_cleveragents/plan/status', { plan_id: plan.plan_id });
  if (status.status !== 'apply/applied') {
    heading(`The plan stopped at ${status.status}`);
    return false;
  }
  showBranch(repository);
  await undo(client, plan.plan_id);
  showBranch(repository);
  const isUndone = git(repository, 'diff', 'HEAD~2', 'HEAD') === '';
  heading(isUndone ? 'Done: the plan was applied and undone' : 'The undo left something behind');
  return isUndone;
}

function showBranch(repository) {
  heading('The target branch');
  for (const text of git(repository, 'log', '--graph', '--oneline').trimEnd().split('\n')) line(text);
}

/** Follows the plan's task and takes the next step at each gate, as a person in front of the stream would. */
async function watch(client, taskId, ...steps) {
  for await (const event of client.stream('tasks/subscribe', { id: taskId })) {
    const status = event.status;
    if (event.kind === 'artifact-update') progress('artifact', event.artifact.name ?? event.artifact.artifactId);
    if (status === undefined) continue;
    progress(status.state, status.message?.parts[0]?.text ?? '');
    if (status.state === 'input-required') await steps.shift()?.();
  }
}

async function execute(client, planId) {
  heading('plan/tree: what was decided');
  tree((await client.call('_cleveragents/plan/tree', { plan_id: planId })).tree);
  heading('plan/execute: the steps run in an isolated git worktree');
  await client.call('_cleveragents/plan/execute', { plan_id: planId });
}

async function apply(client, planId) {
  heading('plan/diff: what would change');
  const review = await client.call('_cleveragents/plan/diff', { plan_id: planId, format: 'unified' });
  diff(review.patch);
  heading('plan/apply: exactly what was reviewed is merged');
  await client.call('_cleveragents/plan/apply', { plan_id: planId, expected_changeset: review.changeset_hash });
}

async function undo(client, planId) {
  heading('plan/rollback undo_apply: a further commit takes the merge back');
  const { changes_reverted } = await client.call('_cleveragents/plan/rollback', { plan_id: planId, undo_apply: true });
  for (const { file, action } of changes_reverted) line(`${pc.yellow(action)} ${file}`);
}

const directory = mkdtempSync(join(tmpdir(), 'cleveragents-demo-'));
let server;
try {
  server = await startServer(join(directory, 'data'));
  const isDone = await demo(new DemoClient(server.baseUrl, server.token), join(directory, 'api'));
  process.exitCode = isDone ? 0 : 1;
} catch (error) {
  console.error(pc.red(`The demo failed: ${error.message}`));
  process.exitCode = 1;
} finally {
  await server?.stop();
  rmSync(directory, { recursive: true, force: true });
}
