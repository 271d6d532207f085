import { Connection, openConnections } from '../client/connection.mjs';
import { resultOf } from '../client/endpoint.mjs';
import { isSeedWaiting, seedContext, SEED_CONTEXTS } from '../seed-tasks.mjs';
import { repeat } from './closed-loop.mjs';
import { waitForQuiet } from './quiet.mjs';

const PAGE = 50;
const CALLS = 100;
const LIMIT_MS = 5_000;
const SEED_CONNECTIONS = 64;
const SEED_LIMIT_MS = 240_000;
const WALK = { pages: 100, pageSize: 100, limitMs: 30_000 };

/** Pages of a long list: the first, filtered ones, and one ten thousand tasks further down. */
export async function list(target, { listTasks, quietMs }) {
  const { endpoint } = target;
  const line = await Connection.open(endpoint);
  await fill(target, listTasks, line);
  const { totalSize } = await endpoint.call('ListTasks', { pageSize: 1 }, line);
  const contextId = seedContext(0);
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
    const bytes = endpoint.encode('ListTasks', { pageSize: PAGE, ...filter });
    const load = { count: CALLS, limitMs: LIMIT_MS, request: () => bytes, isRight: isPage };
    cells[cell] = { ...(await repeat(target, line, load)), tasks: totalSize };
  }
  line.close();
  cells.deep50.toFirst = cells.deep50.p50 / cells.first50.p50;
  return cells;
}

function isPage(body) {
  return body.includes('"tasks":[{') && !body.includes('"error"');
}

/** Makes `wanted` tasks unless an earlier round did: an in-memory server has lost them when it was restarted. */
async function fill(target, wanted, line) {
  const { totalSize } = await target.endpoint.call('ListTasks', { pageSize: 1, contextId: seedContext(0) }, line);
  if (totalSize >= Math.floor(wanted / SEED_CONTEXTS)) return;
  if (target.seed !== null) await target.seed(wanted);
  else await fillByApi(target.endpoint, wanted);
}

async function fillByApi(endpoint, wanted) {
  const lines = await openConnections(endpoint, SEED_CONNECTIONS);
  const end = performance.now() + SEED_LIMIT_MS;
  let made = 0;
  const drive = async (line) => {
    while (made < wanted) {
      if (performance.now() > end) throw new Error(`only ${made} of ${wanted} tasks were made in time`);
      const text = isSeedWaiting(made) ? 'turn:seed' : 'echo:seed';
      const request = endpoint.send(text, { contextId: seedContext(made) });
      made += 1;
      resultOf(await line.request(request));
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
