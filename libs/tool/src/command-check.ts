import { Injectable } from '@nestjs/common';

export interface CommandCheckRequest {
  readonly argv: readonly string[];
  readonly root: string;
  readonly signal: AbortSignal;
  readonly commandAllow: readonly (readonly string[])[];
  /** Default 300 s. */
  readonly timeoutMs?: number;
  /** Bytes of output kept, its end. Default 64 KiB. */
  readonly outputBytes?: number;
}

export interface CommandCheckResult {
  /** The command ran to its end with exit code 0. */
  readonly passed: boolean;
  /** One line: `exit code 1`, `timed out after 300 s`. */
  readonly message: string;
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  /** The end of standard output and standard error, in that order. */
  readonly output: string;
  readonly isTruncated: boolean;
  readonly durationMs: number;
}

/** Runs a validation `{kind: "command", argv}` in a sandbox. */
@Injectable()
export class CommandCheck {
  /** A command that is not allowed, or that was aborted, throws; one that fails or times out is a result. */
  async run(_request: CommandCheckRequest): Promise<CommandCheckResult> {
    throw new Error('not there yet');
  }
}
