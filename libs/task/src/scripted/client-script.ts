import { ConfigurationError, isJsonObject } from '@cleveragents/kernel';
import type { AgentRun } from '../agent/agent-run.js';
import type { Script } from './script.js';

const READ = /^fs-read: ?(.*)$/s;

/** `fs-read: path` asks the client for its files, `|` between them; what it answers becomes the artifact `read`. */
export function clientScript(run: AgentRun): Script | null {
  if (run.clientResponses.length > 0) return show;
  const [, paths] = READ.exec(run.text) ?? [];
  return paths === undefined ? null : (asking) => ask(asking, paths.split('|'));
}

async function ask(run: AgentRun, paths: readonly string[]): Promise<void> {
  try {
    for (const path of paths) run.askClient('_cleveragents/fs/read_text_file', { path });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    run.status('TASK_STATE_FAILED', [{ text: error.message }]);
  }
}

const show: Script = async (run) => {
  run.status('TASK_STATE_WORKING');
  const parts = run.clientResponses.map(({ result, error }) => {
    const content = isJsonObject(result) ? result.content : undefined;
    return { text: typeof content === 'string' ? content : `failed: ${JSON.stringify(error ?? result)}` };
  });
  run.artifact({ artifactId: 'read', name: 'read', parts }, { lastChunk: true });
  run.status('TASK_STATE_COMPLETED');
};
