import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textMessage, TestServer } from './test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server.stop());

interface Line {
  readonly correlation_id?: string;
  readonly method?: string;
  readonly principal?: string;
  readonly task_id?: string;
  readonly status_transition?: string;
  readonly duration_ms?: number;
  readonly code?: number;
}

describe('the log of one call', () => {
  it('names the call, its outcome and every transition of its task under one correlation id, and no content', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params: textMessage('echo: confidential', 'log-1') };
    const response = await server.post(body, { 'x-correlation-id': 'corr-1' });
    expect(response.headers.get('x-correlation-id')).toBe('corr-1');
    const { result } = (await response.json()) as { result: { id: string } };
    const lines = server.log.map((line) => JSON.parse(line) as Line).filter((line) => line.correlation_id === 'corr-1');
    const common = { method: 'message/send', principal: 'local-owner' };
    expect(lines).toContainEqual(expect.objectContaining({ ...common, code: 0, duration_ms: expect.any(Number) }));
    const transitions = lines.filter((line) => line.status_transition !== undefined);
    expect(transitions).toEqual([
      expect.objectContaining({ ...common, task_id: result.id, status_transition: 'new -> submitted' }),
      expect.objectContaining({ ...common, task_id: result.id, status_transition: 'submitted -> completed' }),
    ]);
    expect(server.log.join('\n')).not.toContain('confidential');
    expect(server.log.join('\n')).not.toContain(server.token);
  });
});
