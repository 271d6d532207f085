import { dirname } from 'node:path';
import { ConfigurationError } from '@cleveragents/kernel';
import { LIST_DRIVERS, driverOverrides, isLfsSetting, mayCallDrivers } from './git-drivers.js';
import { splitNul } from './git-output.js';
import { ProcessStartError, runProcess, type ProcessOutcome } from './process-runner.js';
import type { CommitAuthor } from './sandbox.js';

/** Where a git call works: a directory that git looks at, or a work tree with its git directory named. */
export interface GitPlace {
  readonly cwd: string;
  readonly gitDir?: string;
}

export interface GitCall {
  readonly stdin?: string | Buffer;
  readonly author?: CommitAuthor;
  /** Use this index file instead of the work tree's own. */
  readonly indexFile?: string;
  readonly outputLimit?: number;
  /** With `head` a longer output is cut; default: it is an error. */
  readonly onOverflow?: 'head' | 'fail';
  /** Exit codes that are answers rather than failures; default only 0. */
  readonly accept?: readonly number[];
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly isTruncated: boolean;
}

/** git itself refused or broke. Its message may hold server paths: for logs, never for callers. */
export class GitError extends Error {
  constructor(
    readonly command: string,
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super(`git ${command} failed with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}: ${stderr}`);
    this.name = 'GitError';
  }
}

/**
 * On every call: no hook, monitor, signature program or automatic housekeeping runs, no name is quoted, no transport
 * executes a command. `safe.directory` is open because WORKSPACE_ROOTS, not the owner of the files, decides which
 * repositories the server works on, and the user's own list is not read.
 */
const FIXED_CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.filesRefLockTimeout=2000',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);

const COMMITTER: CommitAuthor = { name: 'CleverAgents Server', email: 'server@cleveragents.invalid' };

const TIMEOUT_MS = 120_000;
const OUTPUT_LIMIT = 64 * 1024 * 1024;
const OLDEST_VERSION = [2, 38] as const;

/** The git program, as argument vectors under a fixed configuration and a closed environment. */
export class Git {
  private versionCheck: Promise<void> | undefined;
  private lfsCheck: Promise<boolean> | undefined;

  constructor(private readonly searchPath: string) {}

  /** Runs git; an exit code outside `accept` throws GitError. */
  async run(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitAnswer> {
    const outcome = await this.start(place, args, call);
    const { exitCode, stdout, isTruncated } = outcome;
    const isExpected = exitCode !== null && (call.accept ?? [0]).includes(exitCode);
    // Output that was cut on purpose ends git with a signal or a broken pipe.
    if (!isExpected || outcome.endedBy !== null) throw new GitError(args[0] ?? '', exitCode, textOf(outcome));
    return { exitCode, stdout, isTruncated };
  }

  /** Standard output as text, without the final line end. */
  async text(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<string> {
    return (await this.run(place, args, call)).stdout.toString('utf8').replace(/\n$/, '');
  }

  /** Object id of a revision; null when it names nothing of that type. */
  async resolve(place: GitPlace, revision: string, type = 'commit'): Promise<string | null> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{${type}}`];
    const { exitCode, stdout } = await this.run(place, args, { accept: [0, 1, 128] });
    return exitCode === 0 ? stdout.toString('utf8').trim() : null;
  }

  /** Fails once and for all with a ConfigurationError when git is missing or too old for merge-tree. */
  async ensureUsable(): Promise<void> {
    this.versionCheck ??= this.checkVersion();
    return this.versionCheck;
  }

  argv(place: GitPlace, args: readonly string[]): string[] {
    const where = place.gitDir === undefined ? [] : [`--git-dir=${place.gitDir}`, `--work-tree=${place.cwd}`];
    return ['git', ...FIXED_CONFIG, ...where, ...args];
  }

  environment(
    place: GitPlace,
    { author, indexFile }: Pick<GitCall, 'author' | 'indexFile'> = {},
  ): Record<string, string> {
    return {
      PATH: this.searchPath,
      HOME: '/nonexistent',
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '/bin/false',
      GIT_OPTIONAL_LOCKS: '0',
      // A damaged repository must not make git act on one that happens to lie around it.
      GIT_CEILING_DIRECTORIES: dirname(place.cwd),
      // Paths of callers are names, never patterns.
      GIT_LITERAL_PATHSPECS: '1',
      ...identity('COMMITTER', COMMITTER),
      ...identity('AUTHOR', author ?? COMMITTER),
      ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    };
  }

  private async start(place: GitPlace, args: readonly string[], call: GitCall): Promise<ProcessOutcome> {
    const overrides = await this.driverOverrides(place, args);
    try {
      return await runProcess({
        argv: this.argv(place, args),
        cwd: place.cwd,
        env: { ...this.environment(place, call), ...overrides },
        ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
        timeoutMs: TIMEOUT_MS,
        outputLimit: call.outputLimit ?? OUTPUT_LIMIT,
        onOverflow: call.onOverflow ?? 'fail',
      });
    } catch (error) {
      if (error instanceof ProcessStartError) throw new GitError(args[0] ?? '', null, error.message);
      throw error;
    }
  }

  /** Looked up for every call, since commands in a sandbox can change the configuration. */
  private async driverOverrides(place: GitPlace, [command = '']: readonly string[]): Promise<Record<string, string>> {
    if (!mayCallDrivers(command)) return {};
    const { stdout } = await this.run(place, LIST_DRIVERS, { accept: [0, 1] });
    const keys = [...new Set(splitNul(stdout))];
    if (keys.length === 0) return {};
    return driverOverrides(keys, keys.some(isLfsSetting) && (await this.hasLfs()));
  }

  private hasLfs(): Promise<boolean> {
    this.lfsCheck ??= this.run({ cwd: '/' }, ['lfs', 'version'], { accept: [0, 1] }).then(
      ({ exitCode }) => exitCode === 0,
    );
    return this.lfsCheck;
  }

  private async checkVersion(): Promise<void> {
    const version = await this.text({ cwd: '/' }, ['--version']).catch(() => null);
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version ?? '') ?? [];
    if (Number(major) * 1000 + Number(minor) >= OLDEST_VERSION[0] * 1000 + OLDEST_VERSION[1]) return;
    throw new ConfigurationError(`git ${OLDEST_VERSION.join('.')} or newer is needed`, { key: 'git', found: version });
  }
}

function identity(role: 'AUTHOR' | 'COMMITTER', { name, email }: CommitAuthor): Record<string, string> {
  return { [`GIT_${role}_NAME`]: cleanName(name, 'unknown'), [`GIT_${role}_EMAIL`]: cleanName(email, 'unknown') };
}

/** git strips these itself, but an empty rest would make it refuse the commit. */
function cleanName(text: string, fallback: string): string {
  const clean = text.replace(/[<>\p{Cc}]/gu, ' ').trim();
  return /[^\s.,:;"'\\]/u.test(clean) ? clean : fallback;
}

function textOf({ stderr, endedBy }: ProcessOutcome): string {
  const text = stderr.toString('utf8').trim();
  return endedBy === null ? text : `${text} (ended by ${endedBy})`;
}
