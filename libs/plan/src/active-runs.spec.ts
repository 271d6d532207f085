import { describe, expect, it } from 'vitest';
import { ActiveRuns } from './active-runs.js';

async function opened(runs: ActiveRuns, planId: string) {
  const slot = await runs.open(planId);
  if (slot === null) throw new Error('no slot');
  return slot;
}

describe('ActiveRuns', () => {
  it('lets a plan in again only when its former run has ended', async () => {
    const runs = new ActiveRuns(2);
    const first = await opened(runs, 'a');
    const second = opened(runs, 'a');
    expect(runs.list('a')).toEqual([first]);
    first.close();
    expect(await second).not.toBe(first);
    expect(runs.has('a')).toBe(true);
  });

  it('makes a plan wait for a free place', async () => {
    const runs = new ActiveRuns(1);
    const first = await opened(runs, 'a');
    const waiting = opened(runs, 'b');
    expect(runs.has('b')).toBe(false);
    first.close();
    await waiting;
    expect(runs.has('b')).toBe(true);
  });

  it('asks for a pause first and stops what does not rest in time', async () => {
    const runs = new ActiveRuns(2);
    const [patient, stubborn] = [await opened(runs, 'a'), await opened(runs, 'b')];
    patient.pause.addEventListener('abort', () => patient.close());
    stubborn.signal.addEventListener('abort', () => stubborn.close());
    await runs.drain(1);
    expect(patient.signal.aborted).toBe(false);
    expect(stubborn.signal.aborted).toBe(true);
  });

  it('takes no more work once it drains', async () => {
    const runs = new ActiveRuns(1);
    await runs.drain(1);
    expect(await runs.open('a')).toBeNull();
  });
});
