import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CoalescedWork } from './coalesced-work.js';

const PAUSE_MS = 5;

let turns: (() => void)[];
let work: CoalescedWork;

beforeEach(() => {
  vi.useFakeTimers();
  turns = [];
  work = new CoalescedWork(() => new Promise<void>((resolve) => void turns.push(resolve)), PAUSE_MS);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets the turn that is under way end, and time pass. */
async function ends(ms: number): Promise<void> {
  turns.at(-1)?.();
  await vi.advanceTimersByTimeAsync(ms);
}

describe('work that many ask for', () => {
  it('begins at once after a quiet time, once for all who ask in one turn of the event loop', async () => {
    for (let asked = 0; asked < 100; asked += 1) work.request();
    expect(turns).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(turns).toHaveLength(1);
    await ends(PAUSE_MS * 10);
    expect(turns).toHaveLength(1);
    work.request();
    await vi.advanceTimersByTimeAsync(0);
    expect(turns).toHaveLength(2);
  });

  it('is not done more often than the pause allows, and the last request is served', async () => {
    for (let ms = 0; ms < PAUSE_MS * 10; ms += 1) {
      work.request();
      await ends(1);
    }
    expect(turns.length).toBeLessThanOrEqual(11);
    work.request();
    const before = turns.length;
    await ends(PAUSE_MS);
    expect(turns).toHaveLength(before + 1);
  });

  it('never overlaps: requests that come while it is under way share the next turn', async () => {
    work.request();
    await vi.advanceTimersByTimeAsync(0);
    for (let asked = 0; asked < 3; asked += 1) work.request();
    await vi.advanceTimersByTimeAsync(PAUSE_MS * 10);
    expect(turns).toHaveLength(1);
    await ends(PAUSE_MS);
    expect(turns).toHaveLength(2);
    await ends(PAUSE_MS * 10);
    expect(turns).toHaveLength(2);
  });
});
