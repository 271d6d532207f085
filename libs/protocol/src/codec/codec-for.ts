import type { Dialect } from '../dialect.js';
import { codec01 } from './codec-01.js';
import { codec03 } from './codec-03.js';
import { codec10 } from './codec-10.js';
import type { DialectCodec } from './dialect-codec.js';

const CODECS: Readonly<Record<Dialect, DialectCodec>> = { '0.1': codec01, '0.3': codec03, '1.0': codec10 };

export function codecFor(dialect: Dialect): DialectCodec {
  return CODECS[dialect];
}
