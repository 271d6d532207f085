import { Connection } from '../client/connection.mjs';
import { excerpt, resultOf } from '../client/endpoint.mjs';
import { ProcessMeter } from '../process-meter.mjs';
import { median, summarise } from '../stats.mjs';
import { waitForQuiet } from './quiet.mjs';

const TURN = `turn:${'x'.repeat(100)}`;
const MESSAGES_PER_TURN = 2;
const LIMIT_MS = 40_000;
/** A figure "at n messages" is the median of the turns that led there. */
const TURNS_OF_A_FIGURE = 10;
const READS = 30;
const WAITING = '"TASK_STATE_INPUT_REQUIRED"';

/** Turns of one conversation, as its task grows: with the server's default history, and without history. */
export async function growth(target, settings) {
  return { full: await converse(target, settings, {}), hl0: await converse(target, settings, { historyLength: 0 }) };
}

/** The same with all of the history in every answer. */
export async function history(target, settings) {
  return { hl1000: await converse(target, settings, { historyLength: 1000 }) };
}

async function converse(target, { quietMs, historyMessages }, options) {
  await waitForQuiet(quietMs);
  const { endpoint } = target;
  const line = await Connection.open(endpoint);
  const turns = historyMessages / MESSAGES_PER_TURN;
  const latencies = [];
  let task = {};
  let bytes = 0;
  const meter = new ProcessMeter(target);
  const end = meter.begin + LIMIT_MS;
  while (latencies.length < turns && performance.now() < end) {
    const begin = performance.now();
    const request = endpoint.send(TURN, { ...options, taskId: task.id, contextId: task.contextId });
    const response = await line.request(request);
    latencies.push(performance.now() - begin);
    bytes = response.body.length;
    if (latencies.length === 1) task = resultOf(response).task;
    if (!response.body.includes(WAITING)) throw new Error(`HTTP ${response.status} ${excerpt(response.body)}`);
  }
  const costs = meter.stop(latencies.length);
  const reads = await readBack(endpoint, line, { id: task.id, ...options });
  line.close();
  const figures = figuresOf(latencies, historyMessages);
  return {
    ...figures,
    bytesAtEnd: bytes,
    turns: latencies.length,
    getAtEnd: reads.p50,
    ...costs,
    ...unfinished(latencies, turns),
  };
}

function figuresOf(latencies, historyMessages) {
  const at = (messages) => {
    const turn = messages / MESSAGES_PER_TURN;
    return latencies.length < turn ? null : median(latencies.slice(Math.max(0, turn - TURNS_OF_A_FIGURE), turn));
  };
  const atEnd = at(historyMessages);
  return { at20: at(20), at100: at(100), at500: at(500), atEnd, growth: atEnd === null ? null : atEnd / at(20) };
}

async function readBack(endpoint, line, params) {
  const latencies = [];
  for (let index = 0; index < READS; index += 1) {
    const begin = performance.now();
    await line.request(endpoint.encode('GetTask', params));
    latencies.push(performance.now() - begin);
  }
  return summarise(latencies);
}

function unfinished(latencies, turns) {
  if (latencies.length === turns) return { wrong: 0, firstWrong: null };
  return { wrong: 1, firstWrong: `only ${latencies.length} of ${turns} turns in ${LIMIT_MS / 1000} s` };
}
