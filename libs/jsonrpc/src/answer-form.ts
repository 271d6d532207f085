import type { JsonObject } from '@cleveragents/kernel';
import {
  bareEvents,
  codecFor,
  type Dialect,
  type DialectCodec,
  type Operation,
  type StreamEncoder,
} from '@cleveragents/protocol';

/** In which generation of A2A, and under which name of the task, the answer to one call is read. */
export class AnswerForm {
  constructor(
    /** Undefined = no operation of A2A: the answer has one form. */
    readonly operation: Operation | undefined,
    private readonly dialect: Dialect,
    /** The name of the method is of two generations: a task that was born in 0.1 is answered in 0.1. */
    private readonly dependsOnTask: boolean,
    /** As the caller wrote them: the answer uses their name of the task. */
    private readonly params: JsonObject,
  ) {}

  codec(bornIn?: Dialect): DialectCodec {
    return codecFor(this.dependsOnTask && bornIn === '0.1' ? bornIn : this.dialect);
  }

  streamEncoder(bornIn: Dialect | undefined): StreamEncoder {
    const codec = this.codec(bornIn);
    return codec.streamEncoder(codec.wireTaskId(this.params));
  }

  /** For elements without an envelope, which have one form in all generations: that of the oldest. */
  bareEncoder(): StreamEncoder {
    return bareEvents(codecFor('0.1').wireTaskId(this.params));
  }

  /** The name by which the caller's params call the task, if the generation lets callers choose it. */
  wireTaskId(codec: DialectCodec): string | undefined {
    return codec.wireTaskId(this.params);
  }
}
