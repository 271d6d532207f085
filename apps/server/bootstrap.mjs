// Gets a fresh clone ready and then does one job. Plain Node without dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const dist = join(root, 'dist');
const stampFile = join(dist, '.sources');
const lockFile = join(dist, '.preparing');

const OLDEST_NODE = [20, 19];
const SOURCE_ROOTS = ['apps', 'libs', 'migrations'];
const BUILD_SETTINGS = ['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const LOG_LINES = 4;

/** What each subcommand runs, as a path in the project and the arguments before the caller's own. */
const JOBS = {
  start: ['dist/apps/server/src/main.js'],
  migrate: ['dist/apps/server/src/migrate.js'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  demo: ['docs/examples/demo/demo.mjs'],
  bench: ['test/bench/run.mjs'],
};

class Failure extends Error {}

/** Installs and builds what is missing or stale; progress goes to stderr, stdout belongs to the job. */
export async function prepare() {
  checkNode();
  if (isInstalled() && isBuilt()) return;
  await withLock(async () => {
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Failure(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

/** npm leaves a record of what it installed: it must hold every package of the lock file that is not optional. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.optional && !(path in present))) return true;
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity;
  });
}

function packagesOf(lockPath) {
  const path = join(root, lockPath);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

async function install() {
  const npm = process.env.npm_execpath;
  const [file, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // Building needs the development packages, in production too.
  // Errors are said even under `npm --silent start`, which passes its silence on.
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await step('Installing dependencies', file, [...args, 'ci', ...options]);
}

function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceStamp();
}

async function build() {
  const stamp = sourceStamp();
  await step('Building', process.execPath, [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build', '--all']);
  for (const path of orphans()) rmSync(path);
  writeFileSync(stampFile, stamp);
}

/** Changes whenever a file does that the build reads. */
function sourceStamp() {
  const hash = createHash('sha256');
  const sources = SOURCE_ROOTS.flatMap((directory) => filesBelow(join(root, directory))).filter(isCompiled);
  for (const path of [...sources.toSorted(byName), ...BUILD_SETTINGS.map((name) => join(root, name))]) {
    hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function byName(a, b) {
  return a < b ? -1 : 1;
}

function isCompiled(path) {
  return path.endsWith('.ts') && !/\.(spec|int-spec|e2e-spec)\.ts$/.test(path);
}

/** Compiled files whose source is gone: a glob over dist must not find them. */
function orphans() {
  return SOURCE_ROOTS.flatMap((directory) => filesBelow(join(dist, directory))).filter((path) => {
    const source = join(root, relative(dist, path)).replace(/\.(js|js\.map|d\.ts)$/, '.ts');
    return source.endsWith('.ts') && !existsSync(source);
  });
}

function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Two commands started together must not install or build over each other. */
async function withLock(work) {
  for (let told = false; !tryLock(); told = true) {
    if (!told) say('Waiting for another command that is preparing this directory');
    await delay(300);
  }
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** Linked into place, so that nobody ever sees the lock without the process number in it. */
function tryLock() {
  const own = `${lockFile}-${process.pid}`;
  try {
    mkdirSync(dist, { recursive: true });
    writeFileSync(own, String(process.pid));
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new Failure(`${root} has to be installed and built, but cannot be written (${error.code})`);
    }
    if (!isAlive(Number(readIfThere(lockFile)))) rmSync(lockFile, { force: true });
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    // Process 0 would mean this process's own group.
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs one tool with its output kept aside: shown only when it fails. */
async function step(title, file, args) {
  const begin = Date.now();
  const seconds = () => Math.round((Date.now() - begin) / 1000);
  say(`${title} …`);
  const ticker = setInterval(() => say(`${title} … ${seconds()} s`), 10_000);
  const { code, output } = await run(file, args).finally(() => clearInterval(ticker));
  if (code === 0) return say(`${title}: done in ${seconds()} s`);
  const log = join(dist, `${title.split(' ')[0].toLowerCase()}.log`);
  writeFileSync(log, output);
  throw new Failure(`${title} failed; the whole log is in ${relative(process.cwd(), log)}\n${extractOf(output)}`);
}

/** Where the tools say what is wrong: npm at the beginning, the compiler at the end. Stack frames help nobody here. */
function extractOf(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\d+: |at )/.test(line));
  if (lines.length <= 2 * LOG_LINES) return lines.join('\n');
  return [...lines.slice(0, LOG_LINES), '…', ...lines.slice(-LOG_LINES)].join('\n');
}

function run(file, args) {
  return new Promise((settle, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.once('error', (error) => reject(new Failure(`${file} cannot be started: ${error.message}`)));
    child.once('close', (code) => settle({ code, output }));
  });
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

/** The job takes this process over: signals and the exit code are its own. */
async function start([name, ...args]) {
  const job = Object.hasOwn(JOBS, name ?? '') ? JOBS[name] : undefined;
  if (job === undefined) throw new Failure(`Usage: node apps/server/bootstrap.mjs ${Object.keys(JOBS).join(' | ')}`);
  await prepare();
  const [script, ...leading] = job;
  const path = join(root, script);
  if (!existsSync(path)) throw new Failure(`${script.split(sep).join('/')} is not part of this checkout`);
  process.argv = [process.argv[0], path, ...leading, ...args];
  await import(pathToFileURL(path).href);
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  try {
    await start(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
