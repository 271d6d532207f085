export interface BlobMeta {
  readonly mediaType: string;
  readonly filename: string | null;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}(; ?[\w-]{1,30}="?[\w.:+/-]{1,60}"?){0,3}$/;
const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/** Control characters, those that turn the direction of writing (`gnp.exe`), and halves of surrogate pairs. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const LONGEST_FILENAME = 100;

/** What an agent says about its output, made safe for headers, files and the people who save it. */
export function cleanMeta({ mediaType, filename }: BlobMeta): BlobMeta {
  return {
    mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : UNKNOWN_MEDIA_TYPE,
    filename: filename === null ? null : cleanFilename(filename),
  };
}

/** A name without folders. Of a long one the end stays, which tells the kind of file. */
function cleanFilename(filename: string): string | null {
  const characters = Array.from(
    filename
      .replace(/^.*[/\\]/s, '')
      .replace(DECEPTIVE, '')
      .trim(),
  );
  const name = characters.slice(-LONGEST_FILENAME).join('');
  return /^\.*$/.test(name) ? null : name;
}
