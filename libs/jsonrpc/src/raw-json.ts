import type { Dialect } from '@cleveragents/protocol';

/** A result that already is JSON text, in the form of A2A 1.0: written into the answer without being parsed again. */
export class RawJson {
  constructor(
    readonly text: string,
    /** Generation that the task was born in, where the result is a task. */
    readonly bornIn?: Dialect,
  ) {}
}
