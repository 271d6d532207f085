import { medianCell, paired } from './stats.mjs';

/** What was measured: by target, scenario and round, the figures of each cell. */
export class Results {
  #rounds = {};

  /** `outcome` is either the cells of one round, or why there are none. */
  add(target, scenario, outcome) {
    this.#rounds[target] ??= {};
    this.#rounds[target][scenario] ??= [];
    this.#rounds[target][scenario].push(outcome);
  }

  get targets() {
    return Object.keys(this.#rounds);
  }

  /** The runs of one cell by round; a round that failed is undefined, so that pairs stay pairs. */
  runsOf(target, scenario, cell) {
    return this.#outcomes(target, scenario).map(({ cells }) => cells?.[cell]);
  }

  cellsOf(scenario) {
    const outcomes = this.targets.flatMap((target) => this.#outcomes(target, scenario));
    return [...new Set(outcomes.flatMap(({ cells }) => Object.keys(cells ?? {})))];
  }

  /** The medians of one cell; null when it was not measured. */
  median(target, scenario, cell) {
    const runs = this.runsOf(target, scenario, cell).filter((run) => run !== undefined);
    return runs.length === 0 ? null : medianCell(runs);
  }

  /** The product's figure divided by another target's, round by round. */
  ratio(target, { scenario, cell, metric }) {
    return paired(this.runsOf('product', scenario, cell), this.runsOf(target, scenario, cell), metric);
  }

  /** Lines that tell what went wrong, empty when every answer was right. */
  faults() {
    return this.targets.flatMap((target) =>
      Object.entries(this.#rounds[target]).flatMap(([scenario, outcomes]) =>
        outcomes.flatMap((outcome, round) =>
          faultsOf(outcome).map((text) => `${target}, ${scenario}, round ${round + 1}: ${text}`),
        ),
      ),
    );
  }

  /** Everything for the JSON file: the figures of every round, and their medians. */
  toJSON() {
    return {
      rounds: this.#rounds,
      medians: mapValues(this.#rounds, (byScenario, target) => this.#medians(target, byScenario)),
    };
  }

  #medians(target, byScenario) {
    return mapValues(byScenario, (_, scenario) =>
      Object.fromEntries(this.cellsOf(scenario).map((cell) => [cell, this.median(target, scenario, cell)])),
    );
  }

  #outcomes(target, scenario) {
    return this.#rounds[target]?.[scenario] ?? [];
  }
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

function faultsOf({ cells, failure }) {
  if (failure !== undefined) return [failure];
  return Object.entries(cells).flatMap(([name, { wrong, firstWrong }]) =>
    wrong > 0 ? [`${name}: ${wrong} wrong, first: ${firstWrong}`] : [],
  );
}
