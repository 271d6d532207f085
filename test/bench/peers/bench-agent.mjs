import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { TaskState } from 'a2a-sdk-1';
import { AgentEvent } from 'a2a-sdk-1/server';

const ROLE_AGENT = 2;

const BEHAVIOURS = {
  stream: (run, [count]) => stream(run, Number(count)),
  tick: (run, numbers) => tick(run, ...numbers.map(Number)),
  turn: (run, [text]) => run.ask(`more? ${text}`),
};

/**
 * The agent of the benchmark for the official SDK: the text of the first part selects what it does, as the product's
 * scripted agent does under A2A_TEST_AGENT=on.
 */
export class BenchAgent {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const run = new Run(taskId, contextId, bus);
    if (!task) run.begin(userMessage);
    const text = userMessage.parts[0]?.content?.value ?? '';
    const [kind, ...rest] = text.split(':');
    const behave = BEHAVIOURS[kind] ?? (() => echo(run, text));
    await behave(run, rest);
  }

  async cancelTask(taskId, bus) {
    new Run(taskId, '', bus).status(TaskState.TASK_STATE_CANCELED);
  }
}

function echo(run, text) {
  run.artifact(text, 0, 1);
  run.status(TaskState.TASK_STATE_COMPLETED);
}

async function stream(run, count) {
  run.status(TaskState.TASK_STATE_WORKING);
  for (let index = 0; index < count; index += 1) {
    await nextTurn();
    run.artifact(`chunk ${index} of ${count}`, index, count);
  }
  run.status(TaskState.TASK_STATE_COMPLETED);
}

async function tick(run, count, intervalMs, delayMs) {
  run.status(TaskState.TASK_STATE_WORKING);
  await delay(delayMs);
  for (let index = 0; index < count; index += 1) {
    await delay(intervalMs);
    run.artifact(`tick ${index} ${process.hrtime.bigint()}`, index, count);
  }
  run.status(TaskState.TASK_STATE_COMPLETED);
}

/** What the agent publishes for one task. */
class Run {
  #ids;
  #bus;

  constructor(taskId, contextId, bus) {
    this.#ids = { taskId, contextId };
    this.#bus = bus;
  }

  begin(message) {
    const { taskId: id, contextId } = this.#ids;
    const status = statusOf(TaskState.TASK_STATE_SUBMITTED);
    this.#bus.publish(
      AgentEvent.task({ id, contextId, status, artifacts: [], history: [message], metadata: undefined }),
    );
  }

  status(state, message) {
    this.#bus.publish(AgentEvent.statusUpdate({ ...this.#ids, status: statusOf(state, message), metadata: undefined }));
  }

  ask(text) {
    this.status(TaskState.TASK_STATE_INPUT_REQUIRED, {
      ...this.#ids,
      role: ROLE_AGENT,
      messageId: randomUUID(),
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    });
  }

  /** Part `index` of `count` of the task's one artifact. */
  artifact(text, index, count) {
    const artifact = {
      artifactId: 'a1',
      name: 'result',
      description: '',
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
    };
    const update = { artifact, append: index > 0, lastChunk: index === count - 1, metadata: undefined };
    this.#bus.publish(AgentEvent.artifactUpdate({ ...this.#ids, ...update }));
  }
}

function statusOf(state, message) {
  return { state, timestamp: new Date().toISOString(), message };
}

function textPart(text) {
  return { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}
