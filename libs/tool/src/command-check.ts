import { Injectable } from '@nestjs/common';
import { PlanError } from '@cleveragents/kernel';
import { CommandRunner, type CommandOutcome } from './command-runner.js';

export interface CommandCheckRequest {
  readonly argv: readonly string[];
  readonly root: string;
  readonly signal: AbortSignal;
  readonly commandAllow: readonly (readonly string[])[];
  /** Default 300 s. */
  readonly timeoutMs?: number;
  /** Bytes kept of each output, its end. Default 64 KiB. */
  readonly outputBytes?: number;
}

export interface CommandCheckResult {
  /** The command ran to its end with exit code 0. */
  readonly passed: boolean;
  /** One line: `exit code 1`, `timed out after 300 s`. */
  readonly message: string;
  readonly exitCode: number | null;
  readonly hasTimedOut: boolean;
  /** The end of standard output, then that of standard error. */
  readonly output: string;
  readonly isTruncated: boolean;
  readonly durationMs: number;
}

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_OUTPUT_BYTES = 64 * 1024;

/** Runs a validation `{kind: "command", argv}` in a sandbox. */
@Injectable()
export class CommandCheck {
  constructor(private readonly commands: CommandRunner) {}

  /** A command that is not allowed, or that was aborted, throws; one that fails or times out is a result. */
  async run(request: CommandCheckRequest): Promise<CommandCheckResult> {
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const outcome = await this.commands.run({
      ...request,
      timeoutMs,
      outputBytes: request.outputBytes ?? DEFAULT_OUTPUT_BYTES,
    });
    if (outcome.endedBy === 'abort') throw new PlanError('The validation was cancelled', {}, { reason: 'ABORTED' });
    return {
      passed: outcome.exitCode === 0 && outcome.endedBy === null,
      message: outcomeMessage(outcome, timeoutMs),
      exitCode: outcome.exitCode,
      hasTimedOut: outcome.endedBy === 'timeout',
      output: [outcome.stdout, outcome.stderr].filter((text) => text !== '').join('\n'),
      isTruncated: outcome.isTruncated,
      durationMs: outcome.durationMs,
    };
  }
}

/** How a command ended, in one line. */
export function outcomeMessage({ exitCode, signal, endedBy }: CommandOutcome, timeoutMs: number): string {
  if (endedBy === 'timeout') return `timed out after ${timeoutMs / 1000} s`;
  if (exitCode === null) return `ended by ${signal ?? 'a signal'}`;
  return `exit code ${exitCode}`;
}
