/**
 * Work that many ask for: done at most once in `pauseMs` and never twice at a time, begun at once after a quiet time.
 * Whoever asks while it is under way is served by the next turn. The work reports its own failures.
 */
export class CoalescedWork {
  private isDue = false;
  private isRunning = false;
  private lastStart = -Infinity;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
  ) {}

  request(): void {
    if (this.isDue) return;
    this.isDue = true;
    if (!this.isRunning) this.schedule();
  }

  private schedule(): void {
    const waitMs = this.lastStart + this.pauseMs - performance.now();
    if (waitMs <= 0) setImmediate(() => void this.turn());
    else setTimeout(() => void this.turn(), waitMs).unref();
  }

  private async turn(): Promise<void> {
    this.isDue = false;
    this.isRunning = true;
    this.lastStart = performance.now();
    try {
      await this.work();
    } finally {
      this.isRunning = false;
      if (this.isDue) this.schedule();
    }
  }
}
