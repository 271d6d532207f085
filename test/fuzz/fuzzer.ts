import { mutated, type MutatedRequest } from './mutations.js';
import { Random } from './random.js';
import { problemsOf, type WireAnswer } from './verdict.js';
import type { ValidRequest } from './valid-request.js';

export interface Violation {
  /** With the seed it says which request it was. */
  readonly index: number;
  readonly problems: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly request: string;
  readonly answer: string;
}

export interface FuzzReport {
  readonly violations: readonly Violation[];
  /** How many answers there were of each kind: an HTTP status, `result`, `stream` or an error code. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface FuzzRun {
  readonly url: string;
  readonly corpus: readonly ValidRequest[];
  readonly seed: number;
  readonly count: number;
  /** What no answer may have in it. */
  readonly secrets: readonly RegExp[];
  readonly onProgress?: (done: number) => void;
}

const CONCURRENCY = 24;
const MAX_VIOLATIONS = 10;
const ANSWER_WITHIN_MS = 30_000;
const SHOWN = 800;

/** Sends mutated requests; each follows from the seed and its number alone. */
export async function fuzz({ url, corpus, seed, count, secrets, onProgress }: FuzzRun): Promise<FuzzReport> {
  const violations: Violation[] = [];
  const outcomes: Record<string, number> = {};
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count && violations.length < MAX_VIOLATIONS) {
      const index = next;
      next += 1;
      if (index % 1000 === 0) onProgress?.(index);
      const request = mutated(corpus, new Random(seed * 1_000_003 + index));
      const answer = await sent(url, request);
      const outcome = outcomeOf(answer);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const problems = problemsOf(answer, request.body, secrets);
      if (problems.length > 0) violations.push(violation(index, problems, request, answer));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { violations, outcomes };
}

async function sent(url: string, { body, headers }: MutatedRequest): Promise<WireAnswer> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), ANSWER_WITHIN_MS);
  try {
    const response = await fetch(url, { method: 'POST', body, headers, signal: abort.signal });
    const contentType = response.headers.get('content-type') ?? '';
    const isStream = contentType.startsWith('text/event-stream');
    const text = isStream ? await beginningOf(response) : await response.text();
    return { status: response.status, contentType, text };
  } catch (error) {
    return { status: 0, contentType: '', text: String((error as Error).cause ?? error) };
  } finally {
    clearTimeout(timer);
  }
}

/** The first events of a stream, which may go on for long. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  const text = Buffer.from(chunk?.value ?? []).toString('utf8');
  return text.slice(0, text.lastIndexOf('\n\n') + 2);
}

function outcomeOf({ status, contentType, text }: WireAnswer): string {
  if (status !== 200) return `HTTP ${status}`;
  if (contentType.startsWith('text/event-stream')) return 'stream';
  if (text.startsWith('[')) return 'batch';
  return /^\{"jsonrpc":"2\.0","id":.{0,200}?"error":\{"code":(-\d+)/s.exec(text)?.[1] ?? 'result';
}

function violation(index: number, problems: string[], request: MutatedRequest, answer: WireAnswer): Violation {
  const { body, headers } = request;
  return {
    index,
    problems,
    headers,
    request: body.toString('utf8').slice(0, SHOWN),
    answer: answer.text.slice(0, SHOWN),
  };
}
