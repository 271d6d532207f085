import { runProcess } from '@cleveragents/workspace';

/** Bytes of memory that a command's processes may each allocate, and of any one file that they may write. */
const MEMORY_BYTES = 4 * 1024 ** 3;
const FILE_BYTES = 1024 ** 3;

const LIMITS = ['prlimit', `--data=${MEMORY_BYTES}`, `--fsize=${FILE_BYTES}`, '--core=0', '--'];
const NO_NETWORK = ['unshare', '--user', '--map-current-user', '--keep-caps', '--net', '--'];
/** A fresh network has its loopback down, which test suites need up; the right to do that is dropped again. */
const LOOPBACK = [
  'sh',
  '-c',
  'PATH="$PATH:/usr/sbin:/sbin" ip link set lo up && exec setpriv --ambient-caps=-all --inh-caps=-all -- "$@"',
  'sh',
];

const PROBE_TIMEOUT_MS = 10_000;

export interface IsolationReport {
  /** `none`: commands reach no network; `loopback`: only their own loopback; `open`: the system allows no isolation. */
  readonly network: 'none' | 'loopback' | 'open';
  readonly hasResourceLimits: boolean;
}

interface Isolation {
  readonly prefix: readonly string[];
  readonly report: IsolationReport;
}

/** What the system lets an unprivileged server put around a command, found out once. */
export class CommandIsolation {
  private found: Promise<Isolation> | undefined;

  constructor(private readonly env: Readonly<Record<string, string>>) {}

  async wrap(argv: readonly string[]): Promise<string[]> {
    return [...(await this.isolation()).prefix, ...argv];
  }

  async report(): Promise<IsolationReport> {
    return (await this.isolation()).report;
  }

  private isolation(): Promise<Isolation> {
    this.found ??= this.probe();
    return this.found;
  }

  private async probe(): Promise<Isolation> {
    const hasResourceLimits = await this.works(LIMITS);
    const limits = hasResourceLimits ? LIMITS : [];
    const candidates = [
      { prefix: [...limits, ...NO_NETWORK, ...LOOPBACK], network: 'loopback' },
      { prefix: [...limits, ...NO_NETWORK], network: 'none' },
    ] as const;
    for (const { prefix, network } of candidates) {
      if (await this.works(prefix)) return { prefix, report: { network, hasResourceLimits } };
    }
    return { prefix: limits, report: { network: 'open', hasResourceLimits } };
  }

  private async works(prefix: readonly string[]): Promise<boolean> {
    const argv = [...prefix, 'true'];
    const request = { argv, cwd: '/', env: this.env, timeoutMs: PROBE_TIMEOUT_MS, outputLimit: 1024 };
    return runProcess(request).then(
      ({ exitCode }) => exitCode === 0,
      () => false,
    );
  }
}
