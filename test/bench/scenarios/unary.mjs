import { Connection } from '../client/connection.mjs';
import { closedLoop } from './closed-loop.mjs';
import { waitForQuiet } from './quiet.mjs';

const CONNECTIONS = [1, 32, 256];
const COMPLETED = Buffer.from('"TASK_STATE_COMPLETED"');
const ERROR = Buffer.from('"error"');
/** A fresh process runs uncompiled code for its first seconds. */
const FIRST_WARM_UP = { connections: 32, warmMs: 0, durationMs: 1500 };
const TASKS_TO_GET = 200;

/** Blocking sends: each makes a task that is completed when the answer comes. */
export async function send(target, settings) {
  const load = { request: () => target.endpoint.send('echo:hello'), isRight: isCompletedTask };
  await closedLoop(target, { ...load, ...FIRST_WARM_UP });
  return eachConcurrency(target, settings, load);
}

/** Reads of completed tasks, in turn. */
export async function get(target, settings) {
  const requests = await prepareReads(target.endpoint);
  let next = 0;
  const request = () => requests[next++ % requests.length];
  return eachConcurrency(target, settings, { request, isRight: isCompletedTask });
}

async function eachConcurrency(target, { quietMs, warmMs, durationMs }, load) {
  const cells = {};
  for (const connections of CONNECTIONS) {
    await waitForQuiet(quietMs);
    cells[`c${connections}`] = await closedLoop(target, { ...load, connections, warmMs, durationMs });
  }
  return cells;
}

async function prepareReads(endpoint) {
  const line = await Connection.open(endpoint);
  const requests = [];
  for (let index = 0; index < TASKS_TO_GET; index += 1) {
    const { id } = await endpoint.sendForTask('echo:hello', line);
    requests.push(endpoint.encode('GetTask', { id }));
  }
  line.close();
  return requests;
}

function isCompletedTask(body) {
  return body.includes(COMPLETED) && !body.includes(ERROR);
}
