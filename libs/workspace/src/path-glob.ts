import picomatch from 'picomatch';
import { ValidationError } from '@cleveragents/kernel';

const MAX_LENGTH = 512;
const MAX_STARS_IN_SEGMENT = 2;
const MAX_DEPTH_STARS = 4;

/**
 * Compiles a caller's glob over relative paths: `*`, `?`, `[…]`, `{a,b}` and `**`; everything else is literal. The
 * bounds keep the regular expression behind it from running for minutes on a hostile pattern. `field` names the
 * parameter in the error.
 */
export function compileGlob(pattern: string, field = 'glob'): (path: string) => boolean {
  const segments = pattern.split('/');
  if (pattern === '' || pattern.length > MAX_LENGTH) {
    throw ValidationError.of(field, `must have 1 to ${MAX_LENGTH} characters`);
  }
  if (segments.filter((segment) => segment === '**').length > MAX_DEPTH_STARS) {
    throw ValidationError.of(field, `must not have more than ${MAX_DEPTH_STARS} **`);
  }
  if (segments.some((segment) => segment !== '**' && starsIn(segment) > MAX_STARS_IN_SEGMENT)) {
    throw ValidationError.of(field, `must not have more than ${MAX_STARS_IN_SEGMENT} * between two slashes`);
  }
  // A file name may hold these; picomatch would read them as groups of a regular expression.
  const literal = pattern.replace(/[()|+]/g, '\\$&');
  return picomatch(literal, { dot: true, noextglob: true, nonegate: true, strictSlashes: true });
}

function starsIn(segment: string): number {
  return segment.split('*').length - 1;
}
