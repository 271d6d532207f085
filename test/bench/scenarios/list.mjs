import { Connection, openConnections } from '../client/connection.mjs';
import { repeat } from './closed-loop.mjs';
import { Faults } from './faults.mjs';
import { waitForQuiet } from './quiet.mjs';

const PAGE = 50;
const CALLS = 100;
const LIMIT_MS = 5_000;
const SEED_CONNECTIONS = 64;
const SEED_LIMIT_MS = 240_000;
const CONTEXTS = 100;
const WALK = { pages: 100, pageSize: 100, limitMs: 30_000 };

/** Pages of a long list: the first, filtered ones, and one ten thousand tasks further down. */
export async function list(target, { listTasks, quietMs }) {
  const faults = new Faults();
  await fill(target, listTasks, faults);
  const { endpoint } = target;
  const line = await Connection.open(endpoint);
  const first = await endpoint.call('ListTasks', { pageSize: PAGE }, line);
  const { contextId } = first.tasks[0];
  const filters = {
    first50: {},
    ctx50: { contextId },
    status50: { status: 'TASK_STATE_INPUT_REQUIRED' },
    ctxStatus50: { contextId, status: 'TASK_STATE_COMPLETED' },
    deep50: { pageToken: await walk(endpoint, line) },
  };
  const cells = {};
  for (const [cell, filter] of Object.entries(filters)) {
    await waitForQuiet(quietMs);
    const request = endpoint.encode('ListTasks', { pageSize: PAGE, ...filter });
    const figures = await repeat(target, line, {
      count: CALLS,
      limitMs: LIMIT_MS,
      request: () => request,
      isRight: isPage,
    });
    cells[cell] = { ...figures, tasks: first.totalSize ?? null };
  }
  line.close();
  cells.first50 = { ...cells.first50, ...withSeedFaults(cells.first50, faults) };
  cells.deep50.toFirst = cells.deep50.p50 / cells.first50.p50;
  return cells;
}

function isPage(body) {
  return body.includes('"tasks":[{') && !body.includes('"error"');
}

/** Makes tasks until there are `wanted`: in a hundred contexts, every tenth waiting for input. */
async function fill(target, wanted, faults) {
  const { totalSize = 0 } = await target.endpoint.call('ListTasks', { pageSize: 1 });
  const missing = wanted - totalSize;
  if (missing <= 0) return;
  if (target.seed !== null) await target.seed(missing);
  else await fillByApi(target.endpoint, missing, faults);
}

async function fillByApi(endpoint, missing, faults) {
  const lines = await openConnections(endpoint, SEED_CONNECTIONS);
  const contexts = [];
  for (let index = 0; index < Math.min(CONTEXTS, missing); index += 1) {
    contexts.push((await endpoint.sendForTask('echo:seed', lines[0])).contextId);
  }
  const end = performance.now() + SEED_LIMIT_MS;
  let made = contexts.length;
  const drive = async (line) => {
    while (made < missing && performance.now() < end && !faults.areTooMany) {
      const index = made;
      made += 1;
      const text = index % 10 === 9 ? 'turn:seed' : 'echo:seed';
      const request = endpoint.send(text, { contextId: contexts[index % contexts.length] });
      const { status } = await line.request(request).catch((error) => ({ status: error.message }));
      if (status !== 200) faults.add(`while filling the list: ${status}`);
    }
  };
  await Promise.all(lines.map(drive));
  for (const line of lines) line.close();
}

/** Follows the page tokens far down; answers the last one. */
async function walk(endpoint, line) {
  const end = performance.now() + WALK.limitMs;
  let pageToken;
  for (let page = 0; page < WALK.pages && performance.now() < end; page += 1) {
    const params = { pageSize: WALK.pageSize, historyLength: 0, ...(pageToken && { pageToken }) };
    const { nextPageToken } = await endpoint.call('ListTasks', params, line);
    if (!nextPageToken) break;
    pageToken = nextPageToken;
  }
  return pageToken;
}

function withSeedFaults(cell, faults) {
  const { wrong, firstWrong } = faults.figures();
  return { wrong: cell.wrong + wrong, firstWrong: cell.firstWrong ?? firstWrong };
}
