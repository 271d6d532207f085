const DURATION = /^(\d+)(ms|s|m|h|d)?$/;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const SIZE = /^(\d+)(KiB|MiB|GiB)?$/;
const BYTES: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** Longest delay that Node's timers keep; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Milliseconds of `500ms`, `3s`, `30m`, `2h`, `7d` or bare seconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const milliseconds = Number(match[1]) * (MILLISECONDS[match[2] ?? 's'] ?? Number.NaN);
  return milliseconds <= LONGEST_TIMER_MS ? milliseconds : null;
}

/** Bytes of `64KiB`, `1MiB`, `1GiB` or bare bytes; null for anything else. */
export function parseSize(text: string): number | null {
  const match = SIZE.exec(text);
  if (match === null) return null;
  const bytes = Number(match[1]) * (match[2] === undefined ? 1 : (BYTES[match[2]] ?? Number.NaN));
  return Number.isSafeInteger(bytes) ? bytes : null;
}

/** Items of a comma-separated list, trimmed, without empty ones. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
