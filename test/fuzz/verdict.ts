import { POLLUTION } from './values.js';

/** An answer as it came over the wire; of a stream, the events up to where the reader left. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const STATUSES: ReadonlySet<number> = new Set([200, 204, 400, 401, 403, 413, 415, 429]);

/** Nothing that is sent has such a text in it. */
const LEAKS: readonly (readonly [string, RegExp])[] = [
  ['a stack', /\n\s+at |\bat [\w.<>]+ \(|node:internal/],
  ['a path', /file:\/\/|\/(?:node_modules|dist|libs|apps|usr)\//],
  [
    'SQL',
    /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*\b(?:FROM|VALUES|SET|WHERE)\b|violates .* constraint|syntax error/,
  ],
  ['the database', /postgres(?:ql)?:\/\/|QueryFailedError|pg_catalog|relation "/],
  [
    'a language fault',
    /\b(?:TypeError|RangeError)\b|is not a function|Cannot read propert|of undefined|\[object Object\]/,
  ],
];

/** What is wrong with an answer, whatever the request was; empty when nothing is. `secrets` must not be in it. */
export function problemsOf(answer: WireAnswer, request: Buffer, secrets: readonly RegExp[]): string[] {
  const { status, contentType, text } = answer;
  if (!STATUSES.has(status)) return [`status ${status}`];
  const leaks = LEAKS.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${what} on the wire`);
  if (secrets.some((secret) => secret.test(text))) leaks.push('a secret on the wire');
  if (text.includes(POLLUTION) && !request.includes(POLLUTION)) leaks.push('a polluted prototype');
  if (status === 204) return text === '' ? leaks : [...leaks, 'a body with 204'];
  if (contentType.startsWith('text/event-stream')) return [...leaks, ...eventProblems(text)];
  if (contentType !== 'application/json') return [...leaks, `content type ${contentType}`];
  const parsed = parse(text);
  if (parsed === undefined) return [...leaks, 'no JSON'];
  const answers = Array.isArray(parsed) ? (parsed as unknown[]) : [parsed];
  if (answers.length === 0) return [...leaks, 'an empty list'];
  return [...leaks, ...answers.flatMap(answerProblems), ...idProblems(parsed, request)];
}

function eventProblems(text: string): string[] {
  const events = text.split('\n\n').slice(0, -1);
  return events
    .filter((event) => !event.startsWith(':'))
    .flatMap((event) => {
      const data = event.split('\n').filter((line) => line.startsWith('data: '));
      if (data.length !== 1) return ['an event without its one data line'];
      return answerProblems(parse(data[0]?.slice('data: '.length) ?? ''));
    });
}

function answerProblems(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return ['no JSON-RPC answer'];
  const { jsonrpc, id, error, ...rest } = answer as Record<string, unknown>;
  const problems: string[] = [];
  if (jsonrpc !== '2.0') problems.push('no jsonrpc');
  if (id === undefined) problems.push('no id');
  const outcomes = Object.keys(rest).concat(error === undefined ? [] : ['error']);
  if (outcomes.length !== 1 || !['result', 'error'].includes(outcomes[0] ?? ''))
    problems.push(`members ${outcomes.join()}`);
  return error === undefined ? problems : [...problems, ...errorProblems(error)];
}

function errorProblems(error: unknown): string[] {
  const { code, message, data } = error as Record<string, unknown>;
  const problems: string[] = [];
  if (!Number.isInteger(code) || typeof message !== 'string' || message === '') problems.push('a malformed error');
  if (JSON.stringify(data ?? {}).includes('"INTERNAL_ERROR"')) problems.push('an internal error');
  return problems;
}

/** The id of a readable call comes back as it went out. */
function idProblems(answer: unknown, request: Buffer): string[] {
  const call = parse(request.toString('utf8')) as { id?: unknown } | undefined;
  if (typeof call !== 'object' || call === null || Array.isArray(call) || Array.isArray(answer)) return [];
  const { id } = call;
  const isLegal = typeof id === 'string' || Number.isSafeInteger(id);
  const answered = (answer as { id?: unknown }).id;
  return !isLegal || answered === id || answered === null ? [] : ['another id'];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
