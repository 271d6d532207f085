import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { ConfigurationError, ValidationError } from '@cleveragents/kernel';
import { ProcessStartError, resolveInSandbox, runProcess, type EndReason } from '@cleveragents/workspace';
import { CommandIsolation, type IsolationReport } from './command-isolation.js';

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly root: string;
  /** Relative to the root; default the root. */
  readonly cwd?: string;
  readonly commandAllow: readonly (readonly string[])[];
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly signal: AbortSignal;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The ends of both outputs; the sandbox's place on the server is not told. */
  readonly stdout: string;
  readonly stderr: string;
  readonly isTruncated: boolean;
  readonly endedBy: EndReason | null;
  readonly durationMs: number;
}

const MAX_ARGUMENTS = 256;
const MAX_ARGUMENT_BYTES = 64 * 1024;
/** Stands for the root of the sandbox in what a command prints. */
const ROOT_NAME = '/sandbox';

/** Runs the commands that the operator allows, in a sandbox, without network where the system permits. */
@Injectable()
export class CommandRunner {
  /** All that a command of the server sees of its environment. */
  readonly env: Readonly<Record<string, string>>;
  private readonly isolation: CommandIsolation;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.env = {
      // `node` is the one that runs the server.
      PATH: [dirname(process.execPath), config.workspace.searchPath].join(delimiter),
      LANG: 'C.UTF-8',
      CI: 'true',
      NO_COLOR: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
    };
    this.isolation = new CommandIsolation(this.env);
  }

  /** Rejects what is not allowed or cannot be started; a command that fails is an outcome. */
  async run(request: CommandRequest): Promise<CommandOutcome> {
    checkArguments(request.argv);
    requireAllowed(request.argv, request.commandAllow);
    const cwd = await directoryOf(request.root, request.cwd ?? '.');
    // Compilers and package tools want to write to a home; what they leave there is no part of the work.
    const home = await mkdtemp(join(tmpdir(), 'cleveragents-home-'));
    try {
      const outcome = await runProcess({
        argv: await this.isolation.wrap(request.argv),
        cwd,
        env: { ...this.env, HOME: home, TMPDIR: home },
        timeoutMs: request.timeoutMs,
        outputLimit: request.outputBytes,
        onOverflow: 'tail',
        signal: request.signal,
      });
      const textOf = (output: Buffer): string => output.toString('utf8').replaceAll(request.root, ROOT_NAME);
      return { ...outcome, stdout: textOf(outcome.stdout), stderr: textOf(outcome.stderr) };
    } catch (error) {
      if (!(error instanceof ProcessStartError)) throw error;
      throw ValidationError.of('argv', `cannot be started: ${request.argv[0] ?? ''} (${error.code})`);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }

  /** For diagnostics: how far commands are cut off. */
  isolationReport(): Promise<IsolationReport> {
    return this.isolation.report();
  }
}

function checkArguments(argv: readonly string[]): void {
  if (argv.length === 0 || argv.length > MAX_ARGUMENTS) {
    throw ValidationError.of('argv', `must have 1 to ${MAX_ARGUMENTS} items`);
  }
  if (argv.some((argument) => argument.includes('\0'))) throw ValidationError.of('argv', 'must not contain zero bytes');
  if (argv.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT_BYTES)) {
    throw ValidationError.of('argv', 'has an item that is too long');
  }
}

/** Word for word: `npm test` allows `npm test -- x`, but neither `npm run x` nor `/tmp/npm test`. */
function requireAllowed(argv: readonly string[], allow: readonly (readonly string[])[]): void {
  const isAllowed = allow.some((prefix) => prefix.length > 0 && prefix.every((word, index) => argv[index] === word));
  if (isAllowed) return;
  throw new ConfigurationError(
    `The command ${argv[0] ?? ''} is not one that the operator allows`,
    { key: 'COMMAND_ALLOW', command: argv.slice(0, 2).join(' '), allowed: allow.map((prefix) => prefix.join(' ')) },
    { reason: 'COMMAND_NOT_ALLOWED' },
  );
}

async function directoryOf(root: string, path: string): Promise<string> {
  const { absolute } = await resolveInSandbox(root, path, 'cwd');
  const isDirectory = (await stat(absolute).catch(() => null))?.isDirectory() === true;
  if (!isDirectory) throw ValidationError.of('cwd', 'is not a directory of the sandbox');
  return absolute;
}
