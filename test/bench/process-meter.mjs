import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts CPU time for user programs in hundredths of a second, and memory here in pages of 4 KiB. */
const TICK_MS = 10;
const PAGE_KIB = 4;
const RSS_SAMPLE_MS = 250;

/**
 * Measures what a cell costs, from its start to `stop`: CPU of the server's process tree, of PostgreSQL's, of this
 * client and of everything else, and the server's highest memory. CPU per operation stays comparable on a machine
 * whose other processes slow everything down. Without /proc (outside Linux) only the client's own figures exist.
 */
export class ProcessMeter {
  #target;
  #server;
  #postgres;
  #busy = busyTime();
  #usage = process.cpuUsage();
  #loop = performance.eventLoopUtilization();
  #rssMb = 0;
  #sampler;

  constructor(target) {
    this.begin = performance.now();
    this.#target = target;
    this.#server = cpuOfTree(target.pid);
    this.#postgres = cpuOfTree(target.postgresPid);
    this.#sampleRss();
    this.#sampler = setInterval(() => this.#sampleRss(), RSS_SAMPLE_MS);
  }

  stop(operations) {
    clearInterval(this.#sampler);
    this.#sampleRss();
    const elapsed = performance.now() - this.begin;
    const server = cpuSince(this.#server, this.#target.pid);
    const postgres = cpuSince(this.#postgres, this.#target.postgresPid);
    const usage = process.cpuUsage(this.#usage);
    const client = (usage.user + usage.system) / 1000;
    const busy = (busyTime() ?? 0) - (this.#busy ?? 0);
    const perOperation = (ms) => (ms === null ? null : (ms * 1000) / Math.max(1, operations));
    return {
      srvCpuUs: perOperation(server),
      pgCpuUs: perOperation(postgres),
      cpuUs: perOperation(server === null ? null : server + (postgres ?? 0)),
      clientCpuUs: perOperation(client),
      rssPeakMb: this.#rssMb || null,
      clientLoad: performance.eventLoopUtilization(this.#loop).utilization,
      foreignCpuPct: percentOf(elapsed, busy - (server ?? 0) - (postgres ?? 0) - client),
    };
  }

  #sampleRss() {
    this.#rssMb = Math.max(this.#rssMb, rssMb([...(this.#server?.keys() ?? [])]));
  }
}

/** CPU use of the whole machine over a short moment, in percent of one core; null without /proc. */
export async function machineLoad(moment) {
  const before = busyTime();
  const begin = performance.now();
  await moment;
  const after = busyTime();
  return before === null || after === null ? null : percentOf(performance.now() - begin, after - before);
}

/** Memory of a process and all its descendants. */
export function treeRssMb(root) {
  return rssMb(processTree(root)) || null;
}

/** The parent of a process, if both are called `name`; else null. */
export function namesakeParent(pid, name) {
  const parent = readProcess(pid)?.parent;
  return readProcess(pid)?.name === name && readProcess(parent)?.name === name ? parent : null;
}

function percentOf(elapsed, part) {
  return Math.max(0, (part / elapsed) * 100);
}

function cpuOfTree(root) {
  if (root === null) return null;
  const pids = processTree(root);
  return new Map(pids.map((pid) => [pid, readProcess(pid)?.cpuMs ?? 0]));
}

/** Processes that began meanwhile count in full; what an ended one used is lost. */
function cpuSince(before, root) {
  if (before === null || before.size === 0) return null;
  let sum = 0;
  for (const [pid, cpuMs] of cpuOfTree(root)) sum += cpuMs - (before.get(pid) ?? 0);
  return sum;
}

function processTree(root) {
  const children = new Map();
  for (const pid of allProcesses()) {
    const parent = readProcess(pid)?.parent;
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(pid);
  }
  const descend = (pid) => [pid, ...(children.get(pid) ?? []).flatMap(descend)];
  return children.size === 0 ? [] : descend(root);
}

function allProcesses() {
  return (listDirectory('/proc') ?? []).filter((name) => /^\d+$/.test(name)).map(Number);
}

function readProcess(pid) {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name stands in parentheses and may hold blanks, and parentheses too.
  const nameEnd = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const fields = stat.slice(nameEnd + 2).split(' ');
  return { name, parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
}

function rssMb(pids) {
  const kib = pids.map((pid) => Number(readText(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0) * PAGE_KIB);
  return kib.reduce((sum, value) => sum + value, 0) / 1024;
}

/** Milliseconds that all cores together were busy since boot: user, nice, system, interrupts and steal. */
function busyTime() {
  const line = readText('/proc/stat')?.split('\n')[0];
  if (line === undefined) return null;
  const [user, nice, system, , , interrupts, softInterrupts, steal] = line.trim().split(/\s+/).slice(1).map(Number);
  return (user + nice + system + interrupts + softInterrupts + steal) * TICK_MS;
}

function readText(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

function listDirectory(path) {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}
