const FIRST_MS = 1000;
const CAP_MS = 60_000;

/** Consecutive failures after which a receiver is given up: about an hour and a quarter. */
export const MAX_FAILURES = 100;

/**
 * The pause after so many consecutive failures: at random within a window, so that receivers which broke together are
 * not called together. Each window begins where the one before it ends, so that pauses grow up to the cap.
 */
export function retryDelayMs(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(CAP_MS, FIRST_MS * 2 ** (failures - 1));
  const shortest = failures === 1 ? 0 : longest / 2;
  return Math.round(shortest + (longest - shortest) * random());
}
