import { A2aError } from '@cleveragents/kernel';
import { INPUT_MODES, type Message, type Part } from '@cleveragents/protocol';

/** What is read as the content of a part's own member, whatever the exact type says. */
const TEXT = /^text\//i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** A part of a stated media type that the card does not name is refused, not passed over (A2A 1.0 §3.1.1). */
export function requireReadable({ parts }: Message): void {
  const unreadable = parts.find((part) => part.mediaType !== undefined && !isReadable(part, part.mediaType));
  if (unreadable === undefined) return;
  throw new A2aError(
    'The message has a part of a media type that this agent does not read',
    { media_type: unreadable.mediaType ?? '', supported: [...INPUT_MODES] },
    { reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  );
}

function isReadable({ text, data }: Part, mediaType: string): boolean {
  if (text !== undefined) return TEXT.test(mediaType);
  if (data !== undefined) return JSON_TYPE.test(mediaType);
  const [type = ''] = mediaType.split(';');
  return INPUT_MODES.some((mode) => mode === type.trim().toLowerCase());
}
