import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { OutputCapture, type KeptEnd } from './output-capture.js';

/** One run of a program: an argument vector, never a shell line. */
export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited from the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  readonly timeoutMs: number;
  /** Bytes kept of each stream. */
  readonly outputLimit: number;
  /** Which end of a longer output is kept; `fail` ends the program instead. Default `head`. */
  readonly onOverflow?: KeptEnd | 'fail';
  readonly signal?: AbortSignal;
  /** Between the polite signal and the one that cannot be ignored; default 2 s. */
  readonly graceMs?: number;
}

export interface ProcessOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly isTruncated: boolean;
  /** Why the runner itself ended the program; null when it ended by itself. */
  readonly endedBy: EndReason | null;
  readonly durationMs: number;
}

export type EndReason = 'timeout' | 'abort' | 'overflow';

/** The program could not be started at all: not found, not executable, no such working directory. */
export class ProcessStartError extends Error {
  constructor(
    readonly program: string,
    readonly code: string,
    options: ErrorOptions,
  ) {
    super(`${program} could not be started (${code})`, options);
    this.name = 'ProcessStartError';
  }
}

const DEFAULT_GRACE_MS = 2000;
/** For output that is still in the pipes when the program is gone. */
const DRAIN_MS = 250;

/**
 * Runs a program in a process group of its own, so that whatever it starts ends with it, and settles when the program
 * exits: a grandchild that holds the pipes open cannot delay the answer. Rejects only with ProcessStartError.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  const startedAt = performance.now();
  if (request.signal?.aborted === true) return notStarted(startedAt);
  const child = start(request);
  const stdout = new OutputCapture(request.outputLimit, request.onOverflow === 'tail' ? 'tail' : 'head');
  const stderr = new OutputCapture(request.outputLimit, 'tail');
  const termination = new Termination(child, request.graceMs ?? DEFAULT_GRACE_MS);
  const take = (capture: OutputCapture, chunk: Buffer): void => {
    capture.add(chunk);
    if (capture.isTruncated && request.onOverflow === 'fail') termination.begin('overflow');
  };
  child.stdout.on('data', (chunk: Buffer) => take(stdout, chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  // A program need not read its input to the end.
  child.stdin.on('error', () => undefined);
  child.stdin.end(request.stdin ?? '');

  const timer = setTimeout(() => termination.begin('timeout'), request.timeoutMs);
  const onAbort = (): void => termination.begin('abort');
  request.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const { exitCode, signal } = await exitOf(child, request);
    termination.finish();
    await drained(child);
    return {
      exitCode,
      signal,
      stdout: stdout.content(),
      stderr: stderr.content(),
      isTruncated: stdout.isTruncated || stderr.isTruncated,
      endedBy: termination.reason,
      durationMs: Math.round(performance.now() - startedAt),
    };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', onAbort);
  }
}

function start({ argv, cwd, env }: ProcessRequest): ChildProcessWithoutNullStreams {
  const [program = '', ...args] = argv;
  try {
    return spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: 'pipe', windowsHide: true });
  } catch (error) {
    // Node throws at once for arguments that no system takes, such as a zero byte.
    throw new ProcessStartError(program, codeOf(error), { cause: error });
  }
}

function exitOf(
  child: ChildProcessWithoutNullStreams,
  { argv }: ProcessRequest,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', (error) => reject(new ProcessStartError(argv[0] ?? '', codeOf(error), { cause: error })));
  });
}

/** Resolves when both outputs have ended, or after DRAIN_MS with the pipes destroyed. */
function drained(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.stdout.closed && child.stderr.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve();
    };
    const timer = setTimeout(finish, DRAIN_MS);
    child.once('close', finish);
  });
}

/** Ends a whole process group: politely first, by force after a grace. */
class Termination {
  reason: EndReason | null = null;
  private forceTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly graceMs: number,
  ) {}

  begin(reason: EndReason): void {
    if (this.reason !== null || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.reason = reason;
    this.signalGroup('SIGTERM');
    this.forceTimer = setTimeout(() => this.signalGroup('SIGKILL'), this.graceMs);
  }

  /** The program is gone; what it left running goes too. */
  finish(): void {
    clearTimeout(this.forceTimer);
    this.signalGroup('SIGKILL');
  }

  private signalGroup(signal: NodeJS.Signals): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  }
}

function notStarted(startedAt: number): ProcessOutcome {
  const nothing = Buffer.alloc(0);
  const durationMs = Math.round(performance.now() - startedAt);
  return {
    exitCode: null,
    signal: null,
    stdout: nothing,
    stderr: nothing,
    isTruncated: false,
    endedBy: 'abort',
    durationMs,
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}
