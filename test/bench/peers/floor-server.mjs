// A floor: what bare node:http does with A2A's shapes, without a framework or validation; no product can be far below.
// PORT. With DATABASE_URL and TOKEN it also checks the token and commits every task, event and audit row before it
// answers, many in one statement.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { env } from 'node:process';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { openGroupCommit } from './group-commit.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

const expectedToken = env.TOKEN ? hash(`Bearer ${env.TOKEN}`) : null;
const commit = env.DATABASE_URL ? await openGroupCommit(env.DATABASE_URL) : async () => undefined;
const tasks = new Map();
const streams = new Map();

const methods = { SendMessage: send, SendStreamingMessage: stream, GetTask: get, SubscribeToTask: subscribe };

createServer((request, response) => {
  if (expectedToken !== null && hash(request.headers.authorization ?? '') !== expectedToken) {
    response.writeHead(401).end();
    return;
  }
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    void methods[method](new Answer(response, id), params);
  });
}).listen(Number(env.PORT), '127.0.0.1');

async function send(answer, { message }) {
  const text = message.parts[0].text;
  const known = tasks.get(message.taskId);
  const task = takeMessage(message);
  if (text.startsWith('turn:')) {
    const { id: taskId, contextId } = task;
    task.history.push({ messageId: randomUUID(), role: 'ROLE_AGENT', taskId, contextId, parts: [{ text: 'more?' }] });
    setState(task, 'TASK_STATE_INPUT_REQUIRED');
  } else {
    task.artifacts.push({ artifactId: 'a1', name: 'result', parts: [{ text }] });
    setState(task, 'TASK_STATE_COMPLETED');
  }
  // A call's row has a number at or below zero, an event's above: only the former come with an audit row.
  if (known) await commit(task, -task.history.length, JSON.stringify(message));
  else await commit(task, 0, JSON.stringify(task));
  answer.result({ task });
}

async function stream(answer, { message }) {
  const task = takeMessage(message);
  const { id: taskId, contextId } = task;
  const readers = [answer];
  streams.set(taskId, readers);
  answer.open();
  let sequence = 0;
  const emit = async (event) => {
    await commit(task, sequence, answer.text(event));
    sequence += 1;
    for (const reader of readers) reader.event(event);
  };
  await emit({ task });
  setState(task, 'TASK_STATE_WORKING');
  await emit({ statusUpdate: { taskId, contextId, status: task.status } });
  await produce(message.parts[0].text, (text, index, count) => {
    const artifact = { artifactId: 'a1', name: 'result', parts: [{ text }] };
    return emit({ artifactUpdate: { taskId, contextId, artifact, append: index > 0, lastChunk: index === count - 1 } });
  });
  setState(task, 'TASK_STATE_COMPLETED');
  await emit({ statusUpdate: { taskId, contextId, status: task.status } });
  streams.delete(taskId);
  for (const reader of readers) reader.end();
}

async function get(answer, { id }) {
  answer.result(tasks.get(id));
}

async function subscribe(answer, { id }) {
  answer.open();
  answer.event({ task: tasks.get(id) });
  const readers = streams.get(id);
  if (readers) readers.push(answer);
  else answer.end();
}

async function produce(text, chunk) {
  const [kind, ...numbers] = text.split(':');
  const [count, intervalMs, delayMs] = numbers.map(Number);
  if (kind === 'tick') await delay(delayMs);
  for (let index = 0; index < count; index += 1) {
    if (kind === 'tick') {
      await delay(intervalMs);
      await chunk(`tick ${index} ${process.hrtime.bigint()}`, index, count);
    } else {
      await nextTurn();
      await chunk(`chunk ${index} of ${count}`, index, count);
    }
  }
}

function takeMessage(message) {
  const task = tasks.get(message.taskId) ?? newTask(message.contextId ?? randomUUID());
  task.history.push({ ...message, taskId: task.id, contextId: task.contextId });
  tasks.set(task.id, task);
  return task;
}

function newTask(contextId) {
  const task = { id: randomUUID(), contextId, artifacts: [], history: [] };
  setState(task, 'TASK_STATE_SUBMITTED');
  return task;
}

function setState(task, state) {
  task.status = { state, timestamp: new Date().toISOString() };
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** The answer to one call: a single result, or an event stream. */
class Answer {
  #response;
  #id;

  constructor(response, id) {
    this.#response = response;
    this.#id = id;
  }

  text(result) {
    return JSON.stringify({ jsonrpc: '2.0', id: this.#id, result });
  }

  result(result) {
    const text = this.text(result);
    this.#response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) }).end(text);
  }

  open() {
    this.#response.writeHead(200, EVENT_STREAM);
  }

  event(event) {
    this.#response.write(`data: ${this.text(event)}\n\n`);
  }

  end() {
    this.#response.end();
  }
}
