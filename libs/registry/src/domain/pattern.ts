const MAX_PATTERN = 256;
const MAX_GLOB = 256;
const MAX_STARS_PER_SEGMENT = 2;
const MAX_DOUBLE_STARS = 4;
/** A group that repeats and is itself repeated: the usual shape of a pattern that never ends. */
const NESTED_REPEAT = /\([^()]*[+*}][^()]*\)\s*[+*{]/;

/** Why a regular expression cannot be used, or null. The limits keep matching it from stopping the server. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `must be at most ${MAX_PATTERN} characters`;
  if (NESTED_REPEAT.test(pattern)) return 'repeats a group that repeats, which may never end';
  try {
    RegExp(pattern, 'u');
    return null;
  } catch {
    return 'must be a regular expression';
  }
}

/** Why a glob cannot be used, or null. Many stars in one segment take exponential time to refuse a path. */
export function globProblem(glob: string): string | null {
  if (glob === '' || glob.length > MAX_GLOB) return `must have 1 to ${MAX_GLOB} characters`;
  if (glob.split('**').length - 1 > MAX_DOUBLE_STARS) return `must have at most ${MAX_DOUBLE_STARS} "**"`;
  const crowded = glob.split('/').some((segment) => segment.split('*').length - 1 > MAX_STARS_PER_SEGMENT);
  return crowded ? `must have at most ${MAX_STARS_PER_SEGMENT} "*" between two "/"` : null;
}
