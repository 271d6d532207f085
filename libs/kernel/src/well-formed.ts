const LONE_SURROGATE = /\p{Cs}/u;

/** Half of a surrogate pair by itself is no character: UTF-8 cannot say it, so a database keeps another text. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
