import { setTimeout as delay } from 'node:timers/promises';
import { machineLoad } from '../process-meter.mjs';

const QUIET_CPU_PCT = 30;
const LOOK_MS = 300;

/** Waits until the machine has little else to do, at most `patienceMs`: a cell should not begin in another's tail. */
export async function waitForQuiet(patienceMs) {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const load = await machineLoad(delay(LOOK_MS));
    if (load === null || load <= QUIET_CPU_PCT) return;
  }
}
