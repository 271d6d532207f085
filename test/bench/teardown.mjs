const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Undoes what the run set up, in reverse order; at the latest when this process ends, no server is left running. */
export class Teardown {
  #steps = [];
  #processes = [];

  constructor() {
    process.once('exit', () => {
      for (const server of this.#processes) server.kill();
    });
  }

  add(step) {
    this.#steps.push(step);
  }

  /** A server with `stop`, and `kill` for when nothing can be waited for. */
  addProcess(server) {
    this.#processes.push(server);
    this.add(() => server.stop());
  }

  onSignals() {
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.once(signal, () => void this.run().finally(() => process.exit(code)));
    }
  }

  /** Every step runs, even when another fails. */
  async run() {
    const steps = this.#steps.splice(0).toReversed();
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        process.stderr.write(`While cleaning up: ${error.message}\n`);
      }
    }
  }
}
