import type { PairedRatio, Run } from './stats.mjs';

export interface Verdict {
  readonly row: string;
  readonly what: string;
  readonly against: string;
  readonly bound: string;
  readonly value: PairedRatio | null;
  readonly wrong: number;
  readonly foreignCpuPct: number | null;
  readonly outcome: 'met' | 'missed' | 'not measured';
}

export declare function judge(
  set: 'slice' | 'full',
  results: { runsOf(target: string, scenario: string, cell: string): (Run | undefined)[] },
): Verdict[];
