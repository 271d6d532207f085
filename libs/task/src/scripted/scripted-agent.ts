import { randomUUID } from 'node:crypto';
import type { Message } from '@cleveragents/protocol';
import type { Agent } from '../agent/agent.js';
import type { AgentRun } from '../agent/agent-run.js';
import type { IncomingMessage } from '../task-executor.js';
import { benchScript } from './bench-script.js';
import { clientScript } from './client-script.js';
import { conformanceScript } from './conformance-script.js';
import { pause, type Script } from './script.js';
import { textScript } from './text-script.js';

/**
 * The agent that tests and measurements talk to (`A2A_TEST_AGENT=on`): does what the message says. By messageId the
 * conformance kits' behaviours, else by text; anything else works for 1.5 s and then asks for input.
 */
export class ScriptedAgent implements Agent {
  readonly name = 'scripted';
  readonly effects = 'none';

  answer({ message }: IncomingMessage): Message | null {
    if (!message.messageId.startsWith('tck-message-response')) return null;
    const answer: Message = { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text: 'A direct answer' }] };
    return message.contextId === undefined ? answer : { ...answer, contextId: message.contextId };
  }

  run(run: AgentRun): Promise<void> {
    const { messageId } = run.message;
    const byText = (): Script => benchScript(run.text) ?? textScript(run.text) ?? askAfterAWhile;
    const script = conformanceScript(messageId) ?? clientScript(run) ?? byText();
    return script(run);
  }
}

const askAfterAWhile: Script = async (run) => {
  run.status('TASK_STATE_WORKING');
  await pause(1500, run.signal);
  run.status('TASK_STATE_INPUT_REQUIRED', [{ text: 'What next?' }]);
};
