/** One run of a program: an argument vector, never a shell line. */
export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited from the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  readonly timeoutMs: number;
  /** Bytes kept of each stream. */
  readonly outputLimit: number;
  /** Which end of a longer output is kept; `fail` kills the program. Default `head`. */
  readonly onOverflow?: 'head' | 'tail' | 'fail';
  readonly signal?: AbortSignal;
}

export interface ProcessOutcome {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly isTruncated: boolean;
  /** Why the runner itself ended the program; null when it ended by itself. */
  readonly endedBy: 'timeout' | 'abort' | 'overflow' | null;
  readonly durationMs: number;
}
