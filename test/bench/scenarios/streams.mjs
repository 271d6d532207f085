import { openConnections } from '../client/connection.mjs';
import { excerpt } from '../client/endpoint.mjs';
import { eventReader } from '../client/event-reader.mjs';
import { ProcessMeter } from '../process-meter.mjs';
import { median, summarise } from '../stats.mjs';
import { Faults } from './faults.mjs';
import { waitForQuiet } from './quiet.mjs';

const CHUNKS = 50;
const LIMIT_MS = 30_000;
const CLOSE_AFTER_MS = 32_000;
/** How many streams at once, and how many each connection opens one after the other. */
const LOADS = [
  { connections: 1, streams: 30, warmUps: 5 },
  { connections: 50, streams: 4, warmUps: 0 },
  { connections: 500, streams: 1, warmUps: 0 },
];
const PACED_LOAD = { connections: 50, streams: 3, warmUps: 0 };
const PACED_INTERVAL_MS = 20;

/** A producer without pause: it makes a chunk on every turn of its event loop. */
export async function stream(target, { quietMs }) {
  const source = { text: `stream:${CHUNKS}`, mark: (index) => `chunk ${index} of` };
  const cells = {};
  for (const load of LOADS) {
    await waitForQuiet(quietMs);
    cells[`s${load.connections}`] = await runStreams(target, load, source);
  }
  return cells;
}

/** A producer with the pace of a language model: nothing can be packed within one stream. */
export async function paced(target, { quietMs }) {
  const source = { text: `tick:${CHUNKS}:${PACED_INTERVAL_MS}:0`, mark: (index) => `tick ${index} ` };
  await waitForQuiet(quietMs);
  return { [`s${PACED_LOAD.connections}`]: await runStreams(target, PACED_LOAD, source) };
}

async function runStreams(target, { connections, streams, warmUps }, source) {
  const lines = await openConnections(target.endpoint, connections);
  for (let index = 0; index < warmUps; index += 1) await readStream(target.endpoint, lines[0], source, new Tally());

  const tally = new Tally();
  const meter = new ProcessMeter(target);
  const end = meter.begin + LIMIT_MS;
  const limit = setTimeout(() => closeAll(lines, new Error('cut off')), CLOSE_AFTER_MS);
  const readAll = async (line) => {
    for (let index = 0; index < streams && performance.now() < end; index += 1) {
      await readStream(target.endpoint, line, source, tally);
    }
  };
  await Promise.all(lines.map(readAll));
  clearTimeout(limit);
  const elapsed = performance.now() - meter.begin;
  const costs = meter.stop(tally.events);
  closeAll(lines);
  return { ...tally.figures(elapsed), ...costs };
}

async function readStream(endpoint, line, source, tally) {
  const reading = new StreamReading(source);
  try {
    const onData = eventReader((data) => {
      tally.events += 1;
      reading.take(data);
    });
    const { status, isEventStream, body } = await line.request(endpoint.stream(source.text), onData);
    if (status === 200 && isEventStream && reading.isComplete) tally.add(reading);
    else tally.faults.add(`HTTP ${status}, ${reading.progress} ${excerpt(body)}`);
  } catch (error) {
    tally.faults.add(`${error.message}, ${reading.progress}`);
  }
}

/** What arrived of one stream: every chunk once and in order, then completion. */
class StreamReading {
  #source;
  #begin = performance.now();
  #first = 0;
  #last = 0;
  #events = 0;
  #chunks = 0;
  #strays = 0;
  #isCompleted = false;

  constructor(source) {
    this.#source = source;
  }

  take(data) {
    this.#last = performance.now();
    if (this.#events === 0) this.#first = this.#last;
    this.#events += 1;
    if (data.includes('"artifactUpdate"')) {
      if (data.includes(this.#source.mark(this.#chunks))) this.#chunks += 1;
      else this.#strays += 1;
    } else if (data.includes('"TASK_STATE_COMPLETED"')) {
      this.#isCompleted = true;
    }
  }

  get isComplete() {
    return this.#isCompleted && this.#chunks === CHUNKS && this.#strays === 0;
  }

  get progress() {
    return `${this.#chunks} of ${CHUNKS} chunks in order, ${this.#strays} others, ${this.#isCompleted ? '' : 'not '}completed`;
  }

  get firstEventMs() {
    return this.#first - this.#begin;
  }

  get durationMs() {
    return this.#last - this.#begin;
  }

  get eventsPerSecond() {
    return (this.#events * 1000) / this.durationMs;
  }
}

class Tally {
  events = 0;
  faults = new Faults();
  #readings = [];

  add(reading) {
    this.#readings.push(reading);
  }

  figures(elapsedMs) {
    const first = summarise(this.#readings.map((reading) => reading.firstEventMs));
    const whole = summarise(this.#readings.map((reading) => reading.durationMs));
    return {
      evps: (this.events * 1000) / elapsedMs,
      perStreamEvps: median(this.#readings.map((reading) => reading.eventsPerSecond)),
      ttfe50: first.p50,
      ttfe99: first.p99,
      dur50: whole.p50,
      dur99: whole.p99,
      streams: this.#readings.length,
      ...this.faults.figures(),
    };
  }
}

function closeAll(lines, reason) {
  for (const line of lines) line.close(reason);
}
