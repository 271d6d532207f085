const NAME_SEGMENT = /^[a-z][a-z0-9_-]{0,63}$/;

export const NAME_SEGMENT_RULE = 'begins with a letter, then letters, digits, "_" or "-", at most 64 characters';

/**
 * One segment of a name, for example a namespace, by itself. Names compare without regard to case and are kept in lower
 * case, so the text must be lower case by now.
 */
export function isNameSegment(text: string): boolean {
  return NAME_SEGMENT.test(text);
}
