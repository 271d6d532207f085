import { Injectable } from '@nestjs/common';

/** How often the names of the protocol's predecessor are still used, since this process started. */
@Injectable()
export class DeprecatedCalls {
  private readonly counts = new Map<string, number>();

  /** `name` is one that a method is registered under: callers cannot make up new ones. */
  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  byName(): ReadonlyMap<string, number> {
    return new Map(this.counts);
  }
}
