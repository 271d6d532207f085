import { LOCAL_OWNER } from '@cleveragents/auth';
import { newUlid, type JsonObject, type Principal } from '@cleveragents/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTE, PlanScene, member, type Example } from '../../../test/support/plan-scene.js';

let scene: PlanScene;

beforeAll(async () => {
  scene = await PlanScene.open();
});

afterAll(async () => {
  await scene.close();
});

interface SentTask extends JsonObject {
  id: string;
  contextId: string;
  status: { state: string; message: { parts: JsonObject[] } };
  artifacts: { name: string; parts: JsonObject[] }[];
}

/** Sends a message as a plain A2A client does, and answers the result. */
async function send(parts: JsonObject[], about: JsonObject = {}, as: Principal = LOCAL_OWNER): Promise<JsonObject> {
  const message = { role: 'ROLE_USER', messageId: newUlid(), parts, ...about };
  return scene.ok('SendMessage', { message }, as);
}

async function sendText(text: string, task?: SentTask, as?: Principal): Promise<SentTask> {
  const result = await send([{ text }], task === undefined ? {} : { taskId: task.id }, as);
  return result['task'] as SentTask;
}

function said({ status }: SentTask): string {
  return String(status.message.parts[0]?.['text']);
}

function artifactNames({ artifacts }: SentTask): string[] {
  return artifacts.map(({ name }) => name).sort();
}

function startText({ action, project }: Example): string {
  return `use ${action} on ${project} note="${NOTE}"`;
}

describe('a client that knows nothing but messages', () => {
  it('starts a plan by a text, is asked at each gate, and ends with an applied plan', async () => {
    const example = await scene.example();
    const planned = await sendText(startText(example));
    expect(planned.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(planned)).toContain('approve');
    expect(artifactNames(planned)).toEqual(['strategy']);

    const executed = await sendText('approve', planned);
    expect(executed.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(artifactNames(executed)).toEqual([
      'diff',
      'step:bump-source',
      'step:bump-test',
      'step:changelog',
      'strategy',
      `validation:${example.namespace}/tests`,
    ]);
    const patch = executed.artifacts.find(({ name }) => name === 'diff')?.parts[0];
    expect(patch).toMatchObject({ mediaType: 'text/x-diff' });
    expect(patch?.['text']).toContain(`+- ${NOTE}`);

    const applied = await sendText('approve', executed);
    expect(applied.status.state).toBe('TASK_STATE_COMPLETED');
    expect(example.repository.git('show', 'main:CHANGELOG.md')).toContain(NOTE);
  });

  it('sees phases and artifacts as they come, in streams that end at each question', async () => {
    const example = await scene.example();
    const message = { role: 'ROLE_USER', messageId: newUlid(), parts: [{ text: startText(example) }] };
    const planning = await scene.stream('SendStreamingMessage', { message });
    const { id: taskId } = planning[0]?.['task'] as SentTask;
    expect(planning.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });

    const approval = { role: 'ROLE_USER', messageId: newUlid(), taskId, parts: [{ text: 'approve' }] };
    const executing = await scene.stream('SendStreamingMessage', { message: approval });
    // The first frame shows what has happened before the stream was open.
    const before = artifactNames(executing[0]?.['task'] as SentTask);
    const after = executing.flatMap(({ artifactUpdate }) => {
      const update = artifactUpdate as { artifact: { name: string } } | undefined;
      return update === undefined ? [] : [update.artifact.name];
    });
    const validation = `validation:${example.namespace}/tests`;
    const steps = ['step:bump-source', 'step:bump-test', 'step:changelog'];
    expect([...before, ...after].sort()).toEqual(['diff', ...steps, 'strategy', validation]);
    expect(executing.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
  });

  it('starts a plan by a data part and answers with a data part', async () => {
    const example = await scene.example();
    const data = { action_name: example.action, project_names: [example.project], arguments: { note: NOTE } };
    const { task } = await send([{ data }]);
    const planned = task as SentTask;
    const answered = await send([{ data: { answer: 'approve' } }], { taskId: planned.id });
    expect(answered['task']).toMatchObject({ id: planned.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
  });

  it('keeps any other text as guidance and asks again', async () => {
    const example = await scene.example();
    const planned = await sendText(startText(example));
    const noted = await sendText('approve, but mind the comma', planned);
    expect(noted.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(noted)).toMatch(/^Noted\.\n.*approve/);
    expect(artifactNames(noted)).toEqual(['strategy']);
  });

  it('ends the plan by reject', async () => {
    const example = await scene.example();
    const rejected = await sendText('reject', await sendText(startText(example)));
    expect(rejected.status.state).toBe('TASK_STATE_CANCELED');
  });

  it('ends the plan by cancelling its task, and takes it up again by resume in a new task', async () => {
    const example = await scene.example();
    const planned = await sendText(startText(example));
    const cancelled = await scene.ok('CancelTask', { id: planned.id });
    expect(cancelled).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    const { task } = await send([{ text: 'resume' }], { contextId: planned.contextId });
    const resumed = task as SentTask;
    expect(resumed).toMatchObject({ contextId: planned.contextId, metadata: { referenceTaskIds: [planned.id] } });
    expect(resumed.id).not.toBe(planned.id);
  });

  it('corrects an executed plan by a text, in the same task', async () => {
    const example = await scene.example();
    const executed = await sendText('approve', await sendText(startText(example)));
    const corrected = await sendText('correct strategy choose 2', executed);
    expect(corrected).toMatchObject({ id: executed.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    const again = await sendText('approve', corrected);
    const left = await send([{ data: { correction: 'mind the comma' } }], { taskId: again.id });
    expect(left['task']).toMatchObject({ id: executed.id });
    const applied = await sendText('approve', await sendText('approve', again));
    expect(applied.status.state).toBe('TASK_STATE_COMPLETED');
    expect(example.repository.git('show', '--name-only', '--format=', 'main^2')).toBe('src/greet-loud.js');
  });

  it('refuses a correction that cannot be, and keeps nothing of it', async () => {
    const example = await scene.example();
    const planned = await sendText(startText(example));
    const message = { role: 'ROLE_USER', messageId: newUlid(), parts: [{ text: 'correct step nowhere skip' }] };
    const refused = await scene.refused('SendMessage', { message: { ...message, taskId: planned.id } });
    expect(refused).toMatchObject({ code: -32602 });
    const early = { ...message, messageId: newUlid(), parts: [{ text: 'correct strategy choose 2' }] };
    const tooEarly = await scene.refused('SendMessage', { message: { ...early, taskId: planned.id } });
    expect(tooEarly).toMatchObject({ code: -32004 });
  });

  it('takes an applied plan back by undo, in a new task, and is told when that cannot be', async () => {
    const example = await scene.example();
    const tree = example.repository.git('rev-parse', 'main^{tree}');
    const executed = await sendText('approve', await sendText(startText(example)));
    const about = { contextId: executed.contextId };
    const early = await send([{ text: 'undo' }], about);
    expect(early).toMatchObject({ message: { parts: [{ text: 'Refused: Only an applied plan can be undone' }, {}] } });
    await sendText('approve', executed);
    const { task } = await send([{ text: 'undo' }], about);
    const undone = task as SentTask;
    expect(undone).toMatchObject({
      contextId: executed.contextId,
      metadata: { referenceTaskIds: [executed.id] },
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    expect((undone['history'] as JsonObject[])[0]).toMatchObject({ parts: [{ text: 'undo' }] });
    expect(said(undone)).toMatch(/^Undone: /);
    expect(example.repository.git('rev-parse', 'main^{tree}')).toBe(tree);
    const again = await send([{ text: 'undo' }], about);
    expect(again).toMatchObject({ message: { parts: [{ text: 'Refused: The plan has been undone already' }, {}] } });
  });

  it('answers a failure by another try', async () => {
    const example = await scene.example({ validation: ['node', '-e', 'process.exit(3)'] });
    const failed = await sendText('approve', await sendText(startText(example)));
    expect(failed.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(failed)).toContain('Required validation failed');
    const again = await sendText('approve', failed);
    expect(again.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const given = await sendText('reject', again);
    expect(given.status.state).toBe('TASK_STATE_CANCELED');
  });

  it('gets the plan into a team: its members see the task, and only a maintainer opens the apply gate', async () => {
    const example = await scene.example();
    const operator = member('op', { [example.namespace]: 'operator' });
    const maintainer = member('main', { [example.namespace]: 'maintainer' });
    const planned = await sendText(startText(example), undefined, operator);
    const executed = await sendText('approve', planned, operator);
    const message = { role: 'ROLE_USER', messageId: newUlid(), parts: [{ text: 'approve' }], taskId: executed.id };
    const refused = await scene.refused('SendMessage', { message }, operator);
    expect(refused).toMatchObject({ code: -31003 });
    const applied = await sendText('approve', executed, maintainer);
    expect(applied.status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('the assistant', () => {
  it('shows its grammar to whoever says something else, and starts a plan from there', async () => {
    const example = await scene.example();
    const asked = await sendText('please make it nicer');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(said(asked)).toContain('use ACTION on PROJECT');
    const still = await sendText('pretty please', asked);
    expect(still.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const started = await sendText(startText(example), still);
    expect(started.status.state).toBe('TASK_STATE_COMPLETED');
    const [, part] = started.status.message.parts;
    const { plan_id } = part?.['data'] as JsonObject;
    expect(await scene.ok('_cleveragents/plan/status', { plan_id })).toMatchObject({ action: example.action });
  });

  it('answers help and refusals with a message that leaves no task', async () => {
    const help = await send([{ text: 'help' }]);
    expect(help).toMatchObject({ message: { role: 'ROLE_AGENT' } });
    const refused = await send([{ text: 'use acme/nothing on acme/nowhere' }]);
    expect(refused).toMatchObject({
      message: { parts: [{ text: 'Refused: Action not found' }, { data: { error: { reason: 'ACTION_NOT_FOUND' } } }] },
    });
  });

  it('makes one plan of a message that is sent twice', async () => {
    const example = await scene.example();
    const message = { role: 'ROLE_USER', messageId: newUlid(), parts: [{ text: startText(example) }] };
    const [first, second] = [await scene.ok('SendMessage', { message }), await scene.ok('SendMessage', { message })];
    expect((second['task'] as SentTask).id).toBe((first['task'] as SentTask).id);
    const plans = await scene.ok('_cleveragents/plan/list', { project: example.project });
    expect(plans['plans']).toHaveLength(1);
  });

  it('lets its own task be cancelled', async () => {
    const asked = await sendText('hello there');
    const cancelled = await scene.ok('CancelTask', { id: asked.id });
    expect(cancelled).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
  });
});
