import { A2aNotAvailableError } from '@cleveragents/kernel';
import type { Dialect, SupportedDialect } from '../dialect.js';
import { codec03 } from './codec-03.js';
import { codec10 } from './codec-10.js';
import type { DialectCodec } from './dialect-codec.js';

const CODECS: Readonly<Record<SupportedDialect, DialectCodec>> = { '0.3': codec03, '1.0': codec10 };

export function codecFor(dialect: Dialect): DialectCodec {
  if (dialect === '0.1') throw new A2aNotAvailableError('A2A 0.1 is not spoken here', { dialect });
  return CODECS[dialect];
}
