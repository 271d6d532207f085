import type { Part } from '@cleveragents/protocol';
import { pause, type Script } from './script.js';

const TEXT: Part = { text: 'Generated text' };
const FILE: Part = {
  raw: Buffer.from('Generated file').toString('base64'),
  filename: 'output.txt',
  mediaType: 'text/plain',
};
const FILE_URL: Part = { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' };
const DATA: Part = { data: { key: 'value', count: 42 }, mediaType: 'application/json' };

/** Twice the time for which the kits keep a stream open. */
const RESUBSCRIBE_MS = 4000;

const complete: Script = async (run) => {
  run.status('TASK_STATE_COMPLETED', [{ text: 'Done' }]);
};

function artifact(...parts: Part[]): Script {
  return async (run) => {
    run.status('TASK_STATE_WORKING');
    run.artifact({ artifactId: 'a1', name: 'result', parts }, { lastChunk: true });
    run.status('TASK_STATE_COMPLETED');
  };
}

const chunked: Script = async (run) => {
  run.status('TASK_STATE_WORKING');
  run.artifact({ artifactId: 'a1', name: 'result', parts: [{ text: 'first ' }] });
  run.artifact({ artifactId: 'a1', name: 'result', parts: [{ text: 'second' }] }, { append: true, lastChunk: true });
  run.status('TASK_STATE_COMPLETED');
};

/** By the head of the messageId, the longest first (A2A conformance kits; design of the cases: a2a-tck). */
const SCRIPTS: readonly (readonly [string, Script])[] = [
  ['tck-stream-artifact-chunked', chunked],
  ['tck-stream-artifact-text', artifact(TEXT)],
  ['tck-stream-artifact-file', artifact(FILE)],
  ['tck-stream-ordering-001', artifact(TEXT)],
  ['tck-stream-001', artifact(TEXT)],
  ['tck-stream-003', artifact(TEXT)],
  ['tck-artifact-file-url', artifact(FILE_URL)],
  ['tck-artifact-file', artifact(FILE)],
  ['tck-artifact-text', artifact(TEXT)],
  ['tck-artifact-data', artifact(DATA)],
  ['tck-input-required', async (run) => void run.status('TASK_STATE_INPUT_REQUIRED', [{ text: 'More, please' }])],
  ['tck-reject-task', async (run) => void run.status('TASK_STATE_REJECTED', [{ text: 'Not this one' }])],
  [
    'test-resubscribe-message-id',
    async (run): Promise<void> => {
      run.status('TASK_STATE_WORKING');
      await pause(RESUBSCRIBE_MS, run.signal);
      run.status('TASK_STATE_COMPLETED');
    },
  ],
  ['tck-', complete],
];

export function conformanceScript(messageId: string): Script | null {
  return SCRIPTS.find(([head]) => messageId.startsWith(head))?.[1] ?? null;
}
