import { describe, expect, it } from 'vitest';
import { globProblem } from './pattern.js';

describe('a glob', () => {
  it.each(['*.json', 'config/**/*.yaml', '**/a*b*/**'])('may be %s', (glob) => {
    expect(globProblem(glob)).toBeNull();
  });

  it.each(['', '*a*a*a', '**/**/**/**/**', 'a'.repeat(257)])(
    'cannot be "%s", which may take too long to match',
    (glob) => {
      expect(globProblem(glob)).not.toBeNull();
    },
  );
});
