import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { protocolTables } from './protocol-tables.js';

const DOCUMENT = resolve('docs/protocol.md');
const GENERATED = /(<!-- generated: ([a-z0-9 ]+) -->\n).*?(<!-- end -->)/gs;

/** The document with its tables made anew. */
async function regenerated(text: string): Promise<string> {
  const tables = protocolTables();
  const fresh = text.replaceAll(
    GENERATED,
    (_all, begin: string, name: string, end: string) => `${begin}\n${tables[name]}\n\n${end}`,
  );
  return format(fresh, { ...(await resolveConfig(DOCUMENT)), parser: 'markdown' });
}

describe('docs/protocol.md', () => {
  const text = readFileSync(DOCUMENT, 'utf8');

  it('has every generated table', () => {
    const names = Array.from(text.matchAll(GENERATED), ([, , name]) => name);
    expect(new Set(names)).toEqual(new Set(Object.keys(protocolTables())));
  });

  it('says what the code does (`npm run docs:protocol` writes it)', async () => {
    await expect(await regenerated(text)).toMatchFileSnapshot(DOCUMENT);
  });
});
