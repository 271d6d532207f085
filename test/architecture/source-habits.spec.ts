import { describe, expect, it } from 'vitest';
import { linesMatching, productionFiles } from './source-tree.js';

const outside = (allowed: RegExp) => productionFiles().filter((path) => !allowed.test(path));

describe('production code', () => {
  it('reads the environment in libs/config alone', () => {
    expect(linesMatching(/\bprocess\.env\b/, outside(/^libs\/config\//))).toEqual([]);
  });

  it('logs through the logger', () => {
    expect(linesMatching(/\bconsole\.\w+\(/, productionFiles())).toEqual([]);
  });

  it('keeps JSON-RPC error numbers in the one table', () => {
    expect(linesMatching(/-3[12]\d{3}\b/, outside(/^libs\/jsonrpc\/src\/error-codes\.ts$/))).toEqual([]);
  });

  it('has no vague file names', () => {
    const vague = productionFiles().filter((path) => /[/.](?:utils?|helpers?|common|misc|manager)[/.]/.test(path));
    expect(vague).toEqual([]);
  });
});
