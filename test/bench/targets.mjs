import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Endpoint } from './client/endpoint.mjs';
import { treeRssMb } from './process-meter.mjs';
import { seedSdkTasks } from './seed-tasks.mjs';
import { ServerProcess } from './server-process.mjs';

const PRODUCT = fileURLToPath(new URL('../../dist/apps/server/src/main.js', import.meta.url));
const SDK_SERVER = fileURLToPath(new URL('./peers/sdk-server.mjs', import.meta.url));
const FLOOR_SERVER = fileURLToPath(new URL('./peers/floor-server.mjs', import.meta.url));

export const TARGETS = ['product', 'js-mem', 'js-pg', 'floor-http', 'floor-pgbatch'];

/** A server under test: its process, its address, and what of PostgreSQL it uses. */
export class Target {
  #server;
  #prepare;
  #readToken;
  #scenarios;

  constructor(name, { port, server, postgresPid = null, scenarios = null, seed = null, prepare, readToken }) {
    this.name = name;
    this.endpoint = new Endpoint(port);
    this.postgresPid = postgresPid;
    /** Writes tasks straight into the server's store where its own API would take too long; null = by the API. */
    this.seed = seed;
    this.#server = server;
    this.#prepare = prepare ?? (async () => undefined);
    this.#readToken = readToken ?? (async () => null);
    this.#scenarios = scenarios;
  }

  get pid() {
    return this.#server.pid;
  }

  get rssMb() {
    return treeRssMb(this.pid);
  }

  takesPartIn(scenario) {
    return this.#scenarios === null || this.#scenarios.includes(scenario);
  }

  prepare() {
    return this.#prepare();
  }

  /** Starts the server; answers the milliseconds until its first message was answered with a completed task. */
  start() {
    return this.#server.start(async () => {
      this.endpoint.token = await this.#readToken();
      const task = await this.endpoint.sendForTask('echo:cold');
      if (task.status.state !== 'TASK_STATE_COMPLETED') throw new Error(`a task in ${task.status.state}`);
    });
  }

  stop() {
    return this.#server.stop();
  }

  kill() {
    this.#server.kill();
  }
}

/** Makes the chosen targets. `postgres` is null when none of them stores anything in it. */
export async function makeTargets(names, postgres, directory) {
  const targets = [];
  for (const name of names) targets.push(await MAKERS[name]({ name, postgres, directory, port: await freePort() }));
  return targets;
}

export function needsPostgres(name) {
  return name !== 'js-mem' && name !== 'floor-http';
}

const MAKERS = {
  product: makeProduct,
  'js-mem': makeSdkInMemory,
  'js-pg': makeSdkOnPostgres,
  'floor-http': makeBareFloor,
  'floor-pgbatch': makeDurableFloor,
};

/** The product with its defaults: durable, authenticated, audited. */
async function makeProduct(context) {
  const dataDir = join(context.directory, 'product-data');
  const settings = {
    A2A_TEST_AGENT: 'on',
    DATABASE_URL: await context.postgres.createDatabase('product'),
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
  };
  await mkdir(dataDir);
  return new Target(context.name, {
    ...common(context, PRODUCT, settings),
    postgresPid: context.postgres.pid,
    readToken: async () => (await readFile(join(dataDir, 'token'), 'utf8')).trim(),
  });
}

async function makeSdkInMemory(context) {
  return new Target(context.name, common(context, SDK_SERVER, { STORE: 'memory' }));
}

async function makeSdkOnPostgres(context) {
  const url = await context.postgres.createDatabase('sdk');
  return new Target(context.name, {
    ...common(context, SDK_SERVER, { STORE: 'pg', DATABASE_URL: url }),
    postgresPid: context.postgres.pid,
    prepare: () => createSdkTables(url),
    seed: (count) => seedSdkTasks(url, count),
  });
}

async function makeBareFloor(context) {
  const scenarios = ['cold', 'send', 'get', 'stream', 'paced', 'fanout'];
  return new Target(context.name, { ...common(context, FLOOR_SERVER, {}), scenarios });
}

async function makeDurableFloor(context) {
  const token = randomBytes(16).toString('hex');
  const settings = { DATABASE_URL: await context.postgres.createDatabase('floor'), TOKEN: token };
  return new Target(context.name, {
    ...common(context, FLOOR_SERVER, settings),
    postgresPid: context.postgres.pid,
    scenarios: ['cold', 'send', 'stream', 'paced', 'fanout', 'growth'],
    readToken: async () => token,
  });
}

/** Nothing of the caller's environment but the search path reaches a server: a setting would skew the comparison. */
function common({ name, directory, port }, script, settings) {
  const environment = { PATH: env.PATH, PORT: String(port), ...settings };
  const server = new ServerProcess({
    command: [execPath, script],
    environment,
    logFile: join(directory, `${name}.log`),
  });
  return { port, server };
}

async function createSdkTables(url) {
  const sdk = dirname(createRequire(import.meta.url).resolve('a2a-sdk-1'));
  await promisify(execFile)(execPath, [join(sdk, 'cli/a2a_db.js'), 'upgrade', '--url', url]);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
