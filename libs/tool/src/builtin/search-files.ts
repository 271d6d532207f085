import { dirname } from 'node:path';
import { ValidationError, type JsonObject } from '@cleveragents/kernel';
import { compileGlob, runProcess } from '@cleveragents/workspace';
import type { ToolSpec } from '../tool-spec.js';
import type { CommandRunner } from '../command-runner.js';
import { ToolFailure } from '../tool-failure.js';
import type { ToolDefinition } from '../tool.js';
import { objectSchema, READS, TEXT_SCHEMA } from './schemas.js';

const NAME = 'builtin/search_files';
const MAX_MATCHES = 1000;
const MAX_LINE_LENGTH = 500;
const SEARCH = ['grep', '--no-index', '--exclude-standard', '--no-color', '-n', '-z', '-I', '-E'];

const DEFINITION: ToolDefinition = {
  name: NAME,
  description: `Finds lines that match an extended regular expression, at most ${MAX_MATCHES}; ignored files are left out`,
  inputSchema: objectSchema({ pattern: { type: 'string', minLength: 1, maxLength: 1000 }, glob: TEXT_SCHEMA }, [
    'pattern',
  ]),
  outputSchema: objectSchema({
    matches: {
      type: 'array',
      items: objectSchema({ path: TEXT_SCHEMA, line: { type: 'integer' }, text: TEXT_SCHEMA }),
    },
    truncated: { type: 'boolean' },
  }),
  capabilities: READS,
};

/**
 * The search runs in a process of its own, because a caller's regular expression may take for ever: a process can be
 * ended, the event loop cannot. git, since it is here anyway and leaves out what is ignored.
 */
export function searchFilesTool(commands: CommandRunner): ToolSpec<{ pattern: string; glob?: string }> {
  return {
    definition: DEFINITION,

    async gates(): Promise<[]> {
      return [];
    },

    async run({ pattern, glob }, { root, limits, signal }) {
      if (/[\0\n]/.test(pattern)) throw ValidationError.of('inputs.pattern', 'must be a single line');
      const isWanted = glob === undefined ? () => true : compileGlob(glob);
      const outcome = await runProcess({
        argv: ['git', ...SEARCH, '-e', pattern, '--', '.'],
        cwd: root,
        env: { ...commands.env, GIT_CEILING_DIRECTORIES: dirname(root) },
        timeoutMs: limits.timeoutMs,
        outputLimit: limits.outputBytes,
        signal,
      });
      signal.throwIfAborted();
      if (outcome.exitCode !== 0 && outcome.exitCode !== 1) throw searchFailed(outcome.stderr.toString('utf8'));
      const found = parseMatches(outcome.stdout).filter(({ path }) => isWanted(path));
      const matches = found.slice(0, MAX_MATCHES);
      const isTruncated = outcome.isTruncated || found.length > MAX_MATCHES;
      return {
        output: { matches: matches.map((match): JsonObject => ({ ...match })), truncated: isTruncated },
        summary: `${matches.length} matches in ${new Set(matches.map(({ path }) => path)).size} files`,
      };
    },
  };
}

/** Records `path NUL line NUL text`, each ended by a line end; only the path may hold one itself. */
function parseMatches(output: Buffer): { path: string; line: number; text: string }[] {
  const records = output.toString('utf8').matchAll(/([^\0]+)\0(\d+)\0([^\n]*)\n/g);
  return [...records].map(([, path = '', line = '', text = '']) => ({
    path,
    line: Number(line),
    text: text.slice(0, MAX_LINE_LENGTH),
  }));
}

function searchFailed(message: string): Error {
  const complaint = /regular expression|regex|unmatched|invalid/i.test(message);
  if (complaint) return ValidationError.of('inputs.pattern', 'is not a valid extended regular expression');
  return new ToolFailure(NAME, 'The search failed', {}, { cause: new Error(message) });
}
