import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../stats.mjs';
import { waitForQuiet } from './quiet.mjs';

const STARTS = 2;
const SETTLE_MS = 600;

/** From the start of the process to its first completed task, and the memory it then holds at rest. */
export async function cold(target, { quietMs }) {
  const starts = [];
  for (let index = 0; index < STARTS; index += 1) {
    await target.stop();
    await waitForQuiet(quietMs);
    starts.push(await target.start());
    await delay(SETTLE_MS);
  }
  return { start: { coldMs: median(starts), idleRssMb: target.rssMb } };
}
