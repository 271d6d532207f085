import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { GitError, type Git, type GitPlace } from './git.js';

export interface RefUpdate {
  readonly ref: string;
  readonly oldCommit: string;
  /** Equal to `oldCommit` to hold the ref without moving it. */
  readonly newCommit: string;
}

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * A two-phase change of one ref. Once prepared, git holds the lock of the ref and has checked its old value, so the
 * commit cannot lose a race and nobody else can move the ref meanwhile. When the server dies git reads the end of its
 * input and lets go by itself.
 */
export class RefTransaction {
  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly answers: AsyncIterator<string>,
    private readonly exit: Promise<GitError>,
  ) {}

  /** Throws GitError when the ref is not at its old value, or is locked by someone else. */
  static async prepare(git: Git, place: GitPlace, { ref, oldCommit, newCommit }: RefUpdate): Promise<RefTransaction> {
    const [program = '', ...args] = git.argv(place, ['update-ref', '-m', 'apply', '--stdin']);
    const child = spawn(program, args, { cwd: place.cwd, env: git.environment(place), detached: true, stdio: 'pipe' });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const transaction = new RefTransaction(child, answers, exitOf(child));
    await transaction.ask('start');
    child.stdin.write(`update ${ref} ${newCommit} ${oldCommit}\n`);
    await transaction.ask('prepare');
    return transaction;
  }

  async commit(): Promise<void> {
    await this.ask('commit');
    this.child.stdin.end();
    await this.exit;
  }

  /** Never fails: a transaction that has ended already, or that cannot be told to stop, ends with its process. */
  async abort(): Promise<void> {
    await this.ask('abort').catch(() => undefined);
    this.child.stdin.end();
    await this.exit;
  }

  private async ask(command: 'start' | 'prepare' | 'commit' | 'abort'): Promise<void> {
    const timer = setTimeout(() => this.child.kill(), ANSWER_TIMEOUT_MS);
    try {
      this.child.stdin.write(`${command}\n`);
      const { value } = await this.answers.next();
      if (value !== `${command}: ok`) throw await this.exit;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Resolves with what git had to say when it ended; thrown only by whoever still waits for an answer. */
function exitOf(child: ChildProcessWithoutNullStreams): Promise<GitError> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Writing to a git that has already refused.
  child.stdin.on('error', () => undefined);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(new GitError('update-ref', null, error.message)));
    child.once('close', (code) => resolve(new GitError('update-ref', code, stderr.trim())));
  });
}
