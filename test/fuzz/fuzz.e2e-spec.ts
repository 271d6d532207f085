import { SampleRepository, ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusOf } from './corpus.js';
import { fuzz } from './fuzzer.js';
import { namesOf, type OpenRpc } from './open-rpc.js';
import { makeScene } from './scene.js';
import type { ValidRequest } from './valid-request.js';

/** `npm run fuzz` sets them; a run of the tests is short and always the same. */
const COUNT = Number(process.env.FUZZ_COUNT ?? 2000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const IS_LONG = process.env.FUZZ_COUNT !== undefined;

const MS_PER_REQUEST = 20;

/** Each gets half of the requests. */
const AGENTS = [
  { agent: 'the scripted agent', testAgent: 'on', seed: SEED },
  { agent: 'the built-in assistant', testAgent: 'off', seed: SEED + 1 },
];
const SHARE = Math.ceil(COUNT / AGENTS.length);

describe.each(AGENTS)('a server with $agent that is sent whatever comes to mind', ({ testAgent, seed }) => {
  let database: TestDatabase;
  let repository: SampleRepository;
  let server: ServerProcess;
  let document: OpenRpc;
  let corpus: readonly ValidRequest[];

  beforeAll(async () => {
    database = await TestDatabase.create();
    repository = SampleRepository.create();
    server = await ServerProcess.start(
      database.variables({
        A2A_TEST_AGENT: testAgent,
        A2A_ANONYMOUS: 'on',
        PUSH_ALLOW_LOOPBACK: 'on',
        // Most messages make the agent take its time: what is asked here is how it answers, not what it works.
        A2A_BLOCKING_LIMIT: '50ms',
        A2A_BODY_LIMIT: '256KiB',
        WORKSPACE_ROOTS: repository.path,
      }),
    );
    document = (await (await fetch(`${server.baseUrl}/openrpc.json`)).json()) as OpenRpc;
    corpus = corpusOf(document, await makeScene(server, repository.path), seed);
  });

  afterAll(async () => {
    await server.end('SIGTERM');
    await database.drop();
    repository.remove();
  });

  it('knows every method that the corpus is made of', async () => {
    const names = document.methods.flatMap(namesOf);
    expect(new Set(corpus.map(({ method }) => method))).toEqual(new Set(names));
    for (const method of names) {
      const { error } = await server.call(method, []);
      expect(error?.code, method).not.toBe(-32601);
    }
  });

  it(
    `gives ${SHARE} mutated requests (seed ${seed}) proper answers and stays as it was`,
    async () => {
      say(`${SHARE} requests, seed ${seed}, ${corpus.length} valid requests to mutate`);
      const onProgress = (done: number): void => (done % 10_000 === 0 ? say(`${done} sent`) : undefined);
      // A plan tells its owner where its sandbox is, and nothing else of the data directory.
      const secrets = [`${database.dataDir}(?!/sandboxes/)`, database.url, server.token].map(
        (text) => new RegExp(text),
      );
      const url = `${server.baseUrl}/a2a`;
      const report = await fuzz({ url, corpus, seed, count: SHARE, secrets, onProgress });
      say(JSON.stringify(report.outcomes));
      expect(report.violations).toEqual([]);
      expect(server.isRunning).toBe(true);
      expect(server.log).not.toMatch(/unhandled|uncaught|MaxListenersExceeded|out of memory/i);
      expect(reached(report.outcomes) / SHARE).toBeGreaterThan(0.1);
    },
    60_000 + SHARE * MS_PER_REQUEST,
  );

  it('is healthy afterwards', async () => {
    expect((await fetch(`${server.baseUrl}/ready`)).status).toBe(200);
    expect((await server.call('_cleveragents/health/check', {})).result).toMatchObject({ status: 'ok' });
    const message = { messageId: 'after-all', role: 'ROLE_USER', parts: [{ text: 'echo: still here' }] };
    const { result } = await server.call('SendMessage', { message });
    const state = testAgent === 'on' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_INPUT_REQUIRED';
    expect(result).toMatchObject({ task: { status: { state } } });
  });
});

/** How many requests got past the checks of envelope and params: with too few, little of the server was reached. */
function reached(outcomes: Readonly<Record<string, number>>): number {
  const codes = ['result', 'stream', '-32001', '-32002', '-32004'];
  return codes.reduce((sum, code) => sum + (outcomes[code] ?? 0), 0);
}

function say(line: string): void {
  if (IS_LONG) process.stdout.write(`fuzz: ${line}\n`);
}
