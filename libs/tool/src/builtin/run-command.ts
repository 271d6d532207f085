import type { ToolSpec } from '../tool-spec.js';
import { outcomeMessage } from '../command-check.js';
import type { CommandRunner } from '../command-runner.js';
import { ToolFailure } from '../tool-failure.js';
import type { ToolDefinition } from '../tool.js';
import { objectSchema, PATH_SCHEMA, TEXT_SCHEMA, WRITES } from './schemas.js';

const NAME = 'builtin/run_command';
const MAX_TIMEOUT_S = 3600;

interface RunCommandInputs {
  readonly argv: string[];
  readonly cwd?: string;
  readonly timeout_s?: number;
}

const DEFINITION: ToolDefinition = {
  name: NAME,
  description: 'Runs an allowed command without a shell; an exit code other than 0 is a failure',
  inputSchema: objectSchema(
    {
      argv: { type: 'array', items: TEXT_SCHEMA, minItems: 1 },
      cwd: PATH_SCHEMA,
      timeout_s: { type: 'number', exclusiveMinimum: 0, maximum: MAX_TIMEOUT_S },
    },
    ['argv'],
  ),
  outputSchema: objectSchema({
    exit_code: { type: 'integer' },
    stdout: TEXT_SCHEMA,
    stderr: TEXT_SCHEMA,
    truncated: { type: 'boolean' },
  }),
  capabilities: WRITES,
};

export function runCommandTool(commands: CommandRunner): ToolSpec<RunCommandInputs> {
  return {
    definition: DEFINITION,

    async gates() {
      return ['execute_command'];
    },

    async run({ argv, cwd, timeout_s: timeoutSeconds }, { root, signal, limits, commandAllow }) {
      const timeoutMs = Math.min(limits.timeoutMs, (timeoutSeconds ?? MAX_TIMEOUT_S) * 1000);
      const outcome = await commands.run({
        argv,
        root,
        ...(cwd === undefined ? {} : { cwd }),
        commandAllow,
        timeoutMs,
        outputBytes: Math.floor(limits.outputBytes / 2),
        signal,
      });
      const { exitCode, stdout, stderr, isTruncated, endedBy } = outcome;
      const output = { exit_code: exitCode, stdout, stderr, truncated: isTruncated };
      const message = `${argv[0] ?? ''}: ${outcomeMessage(outcome, timeoutMs)}`;
      if (exitCode !== 0 || endedBy !== null) {
        throw new ToolFailure(NAME, message, output, {
          reason: endedBy === 'timeout' ? 'TIMED_OUT' : 'COMMAND_FAILED',
        });
      }
      return { output, summary: message };
    },
  };
}
