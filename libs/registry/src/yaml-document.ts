import { type JsonObject, ValidationError, isJsonObject } from '@cleveragents/kernel';
import { CST, Lexer, LineCounter, parseDocument } from 'yaml';

const MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 40_000;
const MAX_DEPTH = 64;
const PATH = 'config_yaml';

/** Aliases multiply, tags name types, and complex keys and directives have no counterpart in JSON. */
const REFUSED: Readonly<Record<string, string>> = {
  alias: 'an alias; write the value out',
  anchor: 'an anchor',
  tag: 'a tag',
  'explicit-key-ind': 'a complex key',
  'directive-line': 'a directive',
};
const OPENING = new Set(['flow-map-start', 'flow-seq-start']);
const CLOSING = new Set(['flow-map-end', 'flow-seq-end']);

/** Reads one YAML 1.2 mapping in the core schema; what JSON cannot say is refused. */
export function readYamlDocument(text: string): JsonObject {
  if (Buffer.byteLength(text) > MAX_BYTES) throw problem(`must be at most ${MAX_BYTES} bytes`);
  refuseConstructs(text);
  const value = parse(text);
  if (!isJsonObject(value)) throw problem('must hold one mapping');
  return value;
}

/**
 * The parser recurses, and some inputs of a few kilobytes would stop or end the process. The lexer takes linear time
 * for any text, so what is costly is found in its tokens, before the parser sees anything.
 */
function refuseConstructs(text: string): void {
  let tokens = 0;
  let depth = 0;
  let compactDepth = 0;
  for (const source of new Lexer().lex(text)) {
    const type = CST.tokenType(source) ?? 'scalar';
    tokens += 1;
    if (REFUSED[type] !== undefined) throw problem(`uses ${REFUSED[type]}`);
    if (type === 'newline') compactDepth = 0;
    if (type === 'seq-item-ind') compactDepth += 1;
    else if (OPENING.has(type)) depth += 1;
    else if (CLOSING.has(type)) depth -= 1;
    if (depth + compactDepth > MAX_DEPTH) throw problem(`is nested more than ${MAX_DEPTH} deep`);
    if (tokens > MAX_TOKENS) throw problem(`has more than ${MAX_TOKENS} tokens`);
  }
}

function parse(text: string): unknown {
  const lines = new LineCounter();
  // Pretty errors cost time in the square of their number.
  const options = { version: '1.2', schema: 'core', merge: false, uniqueKeys: true, prettyErrors: false } as const;
  const document = parseDocument(text, { ...options, lineCounter: lines });
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw problem(`is not valid YAML at line ${line}, column ${col}: ${first.message}`);
  }
  return document.toJS({ maxAliasCount: 0 });
}

function problem(message: string): ValidationError {
  return ValidationError.of(PATH, message);
}
