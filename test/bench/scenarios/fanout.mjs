import { setTimeout as delay } from 'node:timers/promises';
import { Connection, openConnections } from '../client/connection.mjs';
import { eventReader } from '../client/event-reader.mjs';
import { ProcessMeter } from '../process-meter.mjs';
import { summarise } from '../stats.mjs';
import { Faults } from './faults.mjs';
import { waitForQuiet } from './quiet.mjs';

const SUBSCRIBERS = 200;
const EVENTS = 20;
const INTERVAL_MS = 60;
/** Time for the subscribers to attach before the first event. */
const HEAD_START_MS = 2_500;
const TASK_LIMIT_MS = 3_000;
const LIMIT_MS = 15_000;
/** The event carries the moment at which the agent made it, on the clock that all processes share. */
const TICK = /tick (\d+) (\d{10,})"/;

/** One running task with many subscribers: how long until the last of them has an event. */
export async function fanout(target, { quietMs }) {
  await waitForQuiet(quietMs);
  const { endpoint } = target;
  const lead = await Connection.open(endpoint);
  const task = new LeadStream(endpoint, lead);
  const id = await task.id;
  const lines = await openConnections(endpoint, SUBSCRIBERS);
  const deliveries = new Deliveries();
  const meter = new ProcessMeter(target);
  const request = endpoint.encode('SubscribeToTask', { id });
  const subscribers = lines.map((line) => subscribe(line, request, deliveries));
  await Promise.race([Promise.all([task.ended, ...subscribers]), delay(LIMIT_MS, undefined, { ref: false })]);
  const costs = meter.stop(deliveries.count);
  for (const line of [lead, ...lines]) line.close();
  return { [`f${SUBSCRIBERS}`]: { ...deliveries.figures(), ...costs } };
}

/** The task's own stream: `id` resolves with its first event, `ended` when it is over. */
class LeadStream {
  constructor(endpoint, line) {
    const { promise, resolve, reject } = deferred();
    const limit = setTimeout(() => reject(new Error('the stream does not begin')), TASK_LIMIT_MS);
    const onData = eventReader((data) => {
      clearTimeout(limit);
      const { task, statusUpdate } = JSON.parse(data).result;
      resolve(task?.id ?? statusUpdate?.taskId);
    });
    const text = `tick:${EVENTS}:${INTERVAL_MS}:${HEAD_START_MS}`;
    this.id = promise;
    this.ended = line.request(endpoint.stream(text), onData).catch(reject);
  }
}

function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}

async function subscribe(line, request, deliveries) {
  const begin = performance.now();
  let isAttached = false;
  let received = 0;
  let strays = 0;
  const onData = eventReader((data) => {
    if (!isAttached) deliveries.attached(performance.now() - begin);
    isAttached = true;
    const [, index, madeAt] = (data.includes('"artifactUpdate"') && TICK.exec(data)) || [];
    if (index === undefined) return;
    if (Number(index) === received) received += 1;
    else strays += 1;
    deliveries.add(Number(index), Number(process.hrtime.bigint() - BigInt(madeAt)) / 1e6);
  });
  try {
    await line.request(request, onData);
  } catch (error) {
    deliveries.faults.add(error.message);
    return;
  }
  if (received === EVENTS && strays === 0) deliveries.complete += 1;
  else deliveries.faults.add(`a subscriber got ${received} of ${EVENTS} events in order, ${strays} others`);
}

class Deliveries {
  complete = 0;
  faults = new Faults();
  #delays = Array.from({ length: EVENTS }, () => []);
  #attachMs = [];

  attached(ms) {
    this.#attachMs.push(ms);
  }

  add(index, ms) {
    this.#delays[index]?.push(ms);
  }

  get count() {
    return this.#delays.flat().length;
  }

  figures() {
    const whole = this.#delays.filter((delays) => delays.length === SUBSCRIBERS);
    const last = summarise(whole.map((delays) => Math.max(...delays)));
    const all = summarise(this.#delays.flat());
    const attach = summarise(this.#attachMs);
    return {
      last50: last.p50,
      lastMax: last.max,
      all50: all.p50,
      all99: all.p99,
      complete: this.complete,
      attach50: attach.p50,
      ...this.faults.figures(),
    };
  }
}
