import { setTimeout as delay } from 'node:timers/promises';
import { SCENARIOS } from './scenarios/index.mjs';

const BETWEEN_MS = 250;

/**
 * Runs each scenario on every target, one after the other, round after round: what disturbs the machine for a minute
 * disturbs all of them. The order rotates, so that none is always the first after a pause.
 */
export async function measure({ targets, results, rounds, scenarios, settings, progress }) {
  for (const { round, scenario, target } of plan(targets, rounds, scenarios)) {
    const begin = performance.now();
    const outcome = await attempt(SCENARIOS[scenario], target, settings);
    results.add(target.name, scenario, outcome);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    progress(`round ${round + 1} ${scenario} ${target.name} ${seconds} s${failureOf(outcome)}`);
    await delay(BETWEEN_MS);
  }
}

function* plan(targets, rounds, scenarios) {
  for (let round = 0; round < rounds; round += 1) {
    for (const scenario of scenarios) {
      const taking = rotate(targets, round).filter((target) => target.takesPartIn(scenario));
      for (const target of taking) yield { round, scenario, target };
    }
  }
}

/** A target that fails a scenario is reported and does not end the run. */
async function attempt(scenario, target, settings) {
  try {
    return { cells: await scenario(target, settings) };
  } catch (error) {
    return { failure: error.message };
  }
}

function rotate(items, by) {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function failureOf({ cells, failure }) {
  if (failure !== undefined) return ` FAILED: ${failure}`;
  const wrong = Object.values(cells).reduce((sum, cell) => sum + (cell.wrong ?? 0), 0);
  return wrong > 0 ? ` ${wrong} WRONG` : '';
}
