import type { Random } from './random.js';

/** What servers tend to stumble over. Nothing here looks like a path, SQL or a stack: answers may echo it. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53 + 2,
  '',
  ' ',
  '\n',
  'null',
  'undefined',
  '0',
  '-1',
  'NaN',
  'true',
  '[]',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202eesrever',
  '🙂'.repeat(50),
  'ﷺ'.repeat(50),
  'e\u0301'.repeat(50),
  "' or ''='",
  '"; --',
  '%s%n%d',
  '{{7*7}}',
  '<b>bold</b>',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'TASK_STATE_WORKING',
  'input-required',
  'ROLE_USER',
  'agent',
  'tck-complete-task',
  '2026-13-45T99:99:99Z',
  '-271821-04-20T00:00:00.000Z',
  [],
  {},
  [[]],
  [null],
  [{}],
  { kind: 'text' },
  { kind: 'file', file: {} },
  { type: 'data', data: [] },
  { text: 'a', url: 'b', raw: 'c', data: {} },
];

export function oddValue(random: Random): unknown {
  if (random.oneIn(40)) return 'x'.repeat(10 ** (3 + random.below(3)));
  if (random.oneIn(40)) return deep(random.pick([20, 63, 100, 600, 1200]), random.oneIn(2));
  if (random.oneIn(60)) return Array.from({ length: 5000 }, (_, index) => index);
  if (random.oneIn(60)) return Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, null]));
  // A copy: later mutations change what they find.
  return structuredClone(random.pick(ODD_VALUES));
}

function deep(levels: number, isList: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = isList ? [value] : { a: value };
  return value;
}

export const POLLUTION = 'polluted-by-the-fuzz-run';

/** Keys that reach into prototypes where objects are merged carelessly. */
const ODD_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', '', ' ', '$ref', '\u0000'];

/** Adds a member, as JSON text has it: also one that an assignment would take for the prototype. */
export function addOddMember(target: object, random: Random): void {
  const key = random.pick(ODD_KEYS);
  const value = random.oneIn(2) ? { [POLLUTION]: true, isAdmin: true } : oddValue(random);
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
