import { within } from './within.js';

/** One place for a running plan. */
export class RunSlot {
  private readonly stopper = new AbortController();
  private readonly pauser = new AbortController();
  private end: () => void = () => undefined;
  readonly closed = new Promise<void>((resolve) => (this.end = resolve));

  /** Looks whether the plan is still ours; set by whoever works in the slot. */
  check: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly onClose: () => void) {}

  /** Stops the work at once. */
  get signal(): AbortSignal {
    return this.stopper.signal;
  }

  /** Asks the work to rest before its next step. */
  get pause(): AbortSignal {
    return this.pauser.signal;
  }

  abort(reason: string): void {
    this.stopper.abort(new Error(reason));
  }

  requestPause(): void {
    this.pauser.abort();
  }

  close(): void {
    this.onClose();
    this.end();
  }
}

/** The plans that this process works on: each at most once, and no more than there are places. */
export class ActiveRuns {
  private readonly slots = new Map<string, RunSlot>();
  private isDraining = false;

  constructor(private readonly places: number) {}

  /** Waits for the plan's former run to end and for a free place; null when no more work is taken. */
  async open(planId: string): Promise<RunSlot | null> {
    for (;;) {
      if (this.isDraining) return null;
      const former = this.slots.get(planId);
      if (former !== undefined) await former.closed;
      else if (this.slots.size < this.places) return this.add(planId);
      else await Promise.race([...this.slots.values()].map((slot) => slot.closed));
    }
  }

  has(planId: string): boolean {
    return this.slots.has(planId);
  }

  /** The run of one plan, or every run. */
  list(planId: string | null): RunSlot[] {
    return [...this.slots].filter(([id]) => planId === null || id === planId).map(([, slot]) => slot);
  }

  abortAll(reason: string): void {
    for (const slot of this.slots.values()) slot.abort(reason);
  }

  /** Lets running steps end; what is still at work after `graceMs` is stopped. */
  async drain(graceMs: number): Promise<void> {
    this.isDraining = true;
    for (const slot of this.slots.values()) slot.requestPause();
    const all = Promise.all([...this.slots.values()].map((slot) => slot.closed));
    if (await within(all, graceMs)) return;
    this.abortAll('the server stops');
    await all;
  }

  private add(planId: string): RunSlot {
    const slot = new RunSlot(() => this.slots.delete(planId));
    this.slots.set(planId, slot);
    return slot;
  }
}
