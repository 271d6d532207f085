import { isWellFormed, ValidationError } from '@cleveragents/kernel';

/** The text if a text column can hold it: control characters separate values on the way there, and U+0000 has no place. */
export function plainText(path: string, text: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) < 0x20) throw ValidationError.of(path, 'must not contain control characters');
  }
  if (!isWellFormed(text)) throw ValidationError.of(path, 'must be well-formed Unicode');
  return text;
}
