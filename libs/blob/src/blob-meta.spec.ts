import { describe, expect, it } from 'vitest';
import { cleanMeta } from './blob-meta.js';

describe('cleanMeta', () => {
  it.each(['text/plain', 'application/vnd.api+json', 'text/plain; charset=utf-8', 'text/csv;charset="utf-8"'])(
    'keeps the media type %s',
    (mediaType) => {
      expect(cleanMeta({ mediaType, filename: null }).mediaType).toBe(mediaType);
    },
  );

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'text/plain\r\nX-Evil: 1',
    'text/plain; charset',
    'a/b/c',
    `${'a'.repeat(99)}/b`,
  ])('takes %j for unknown bytes', (mediaType) => {
    expect(cleanMeta({ mediaType, filename: null }).mediaType).toBe('application/octet-stream');
  });

  it.each([
    ['report.pdf', 'report.pdf'],
    ['résumé 日本.txt', 'résumé 日本.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['a\nb/../c.txt', 'c.txt'],
    ['a\r\nX-Evil: 1', 'aX-Evil: 1'],
    ['invoice\u202Egnp.exe', 'invoicegnp.exe'],
    ['broken\uD800.txt', 'broken.txt'],
    ['😀'.repeat(200) + '.png', '😀'.repeat(96) + '.png'],
  ])('makes of the file name %j %j', (given, expected) => {
    expect(cleanMeta({ mediaType: 'text/plain', filename: given }).filename).toBe(expected);
  });

  it.each(['', '.', '..', 'folder/', ' ', '\u0000'])('makes no file name of %j', (filename) => {
    expect(cleanMeta({ mediaType: 'text/plain', filename }).filename).toBeNull();
  });
});
