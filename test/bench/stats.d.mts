/** The figures of one cell in one round. */
export interface Run {
  readonly [figure: string]: number | string | null | undefined;
}

export interface PairedRatio {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
}

export declare const NOISY_CPU_PCT: number;
export declare function percentile(sorted: ArrayLike<number>, share: number): number | null;
export declare function median(values: readonly unknown[]): number | null;
export declare function summarise(latencies: readonly number[]): {
  readonly p50: number | null;
  readonly p99: number | null;
  readonly max: number | null;
};
export declare function medianCell(runs: readonly Run[]): Run;
export declare function paired(
  ours: readonly (Run | undefined)[],
  theirs: readonly (Run | undefined)[],
  metric: string,
  combine?: (ours: number, theirs: number) => number,
): PairedRatio | null;
