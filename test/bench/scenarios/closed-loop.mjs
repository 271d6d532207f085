import { excerpt } from '../client/endpoint.mjs';
import { openConnections } from '../client/connection.mjs';
import { ProcessMeter } from '../process-meter.mjs';
import { summarise } from '../stats.mjs';
import { Faults } from './faults.mjs';

/**
 * Keeps `connections` connections busy, each with one request at a time, and measures what completes between the end
 * of the warm-up and the end of the cell.
 */
export async function closedLoop(target, { connections, warmMs, durationMs, request, isRight }) {
  const lines = await openConnections(target.endpoint, connections);
  const faults = new Faults();
  const latencies = [];
  const end = performance.now() + warmMs + durationMs;
  let meter = null;
  const warmUp = setTimeout(() => (meter = new ProcessMeter(target)), warmMs);

  const drive = async (line) => {
    while (performance.now() < end && !faults.areTooMany) {
      const begin = performance.now();
      const isAnswered = await exchange(line, request(), isRight, faults);
      const now = performance.now();
      if (isAnswered && meter !== null && now <= end) latencies.push(now - begin);
    }
  };
  await Promise.all(lines.map(drive));

  clearTimeout(warmUp);
  for (const line of lines) line.close();
  if (meter === null) return faults.figures();
  const elapsed = Math.min(performance.now(), end) - meter.begin;
  const costs = meter.stop(latencies.length);
  return { rps: (latencies.length * 1000) / elapsed, ...summarise(latencies), ...costs, ...faults.figures() };
}

/** The same with one connection, a fixed request and a count: for calls that take long. */
export async function repeat(target, line, { count, limitMs, request, isRight }) {
  const faults = new Faults();
  const latencies = [];
  const meter = new ProcessMeter(target);
  const end = meter.begin + limitMs;
  for (let index = 0; index < count && performance.now() < end && !faults.areTooMany; index += 1) {
    const begin = performance.now();
    if (await exchange(line, request(), isRight, faults)) latencies.push(performance.now() - begin);
  }
  return { ...summarise(latencies), ...meter.stop(latencies.length), ...faults.figures() };
}

async function exchange(line, bytes, isRight, faults) {
  try {
    const { status, body } = await line.request(bytes);
    if (status === 200 && isRight(body)) return true;
    faults.add(`HTTP ${status} ${excerpt(body)}`);
  } catch (error) {
    faults.add(error.message);
  }
  return false;
}
