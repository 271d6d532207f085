import { expect } from 'vitest';

export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface JsonRpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: JsonRpcError;
}

/** The JSON-RPC response in an HTTP answer, checked against JSON-RPC 2.0 §5. */
export async function answerIn(response: Response, id: unknown): Promise<JsonRpcAnswer> {
  expect(response.headers.get('content-type')).toBe('application/json');
  return checkedAnswer(await response.json(), id);
}

/** `result` or `error`, never both, the id as it went out, and nothing else. */
export function checkedAnswer(value: unknown, id: unknown): JsonRpcAnswer {
  const answer = value as JsonRpcAnswer;
  const outcome = answer.error === undefined ? 'result' : 'error';
  expect(Object.keys(answer).sort()).toEqual(['id', 'jsonrpc', outcome].sort());
  expect(answer).toMatchObject({ jsonrpc: '2.0', id });
  if (answer.error !== undefined) checkError(answer.error);
  return answer;
}

function checkError(error: JsonRpcError): void {
  expect(Number.isInteger(error.code)).toBe(true);
  expect(error.message).not.toBe('');
  expect(Object.keys(error).every((name) => ['code', 'message', 'data'].includes(name))).toBe(true);
}
