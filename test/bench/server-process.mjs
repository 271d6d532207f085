import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 4_000;
const RETRY_MS = 5;
const LOG_LINES = 8;

/** One server under test: a process of its own, which is started, restarted and ended by its process id. */
export class ServerProcess {
  #command;
  #environment;
  #logFile;
  #child = null;

  constructor({ command, environment, logFile }) {
    this.#command = command;
    this.#environment = environment;
    this.#logFile = logFile;
  }

  /** Process id while it runs, else null. */
  get pid() {
    return this.#child?.pid ?? null;
  }

  /** Spawns the server and calls `probe` until it succeeds; answers the milliseconds that took. */
  async start(probe) {
    const begin = performance.now();
    this.#spawn();
    for (;;) {
      try {
        await probe();
        return performance.now() - begin;
      } catch (error) {
        if (this.#child === null || performance.now() - begin > START_LIMIT_MS) throw this.#notStarted(error);
      }
      await delay(RETRY_MS);
    }
  }

  async stop() {
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once('exit', () => resolve(true)));
    child.kill('SIGTERM');
    if (await Promise.race([ended, delay(STOP_LIMIT_MS, false)])) return;
    child.kill('SIGKILL');
    await ended;
  }

  /** For the end of this process, when nothing can be waited for. */
  kill() {
    this.#child?.kill('SIGKILL');
  }

  #spawn() {
    const [file, ...args] = this.#command;
    const log = openSync(this.#logFile, 'a');
    const child = spawn(file, args, { env: this.#environment, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    const forget = () => {
      if (this.#child === child) this.#child = null;
    };
    child.once('exit', forget);
    child.once('error', forget);
  }

  #notStarted(error) {
    const log = readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-LOG_LINES).join('\n');
    return new Error(`it did not start: ${error.message}\n${log}`);
  }
}
