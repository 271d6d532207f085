import { describe, expect, it } from 'vitest';
import { locateBinaries } from './postgres-binaries.js';

describe('locateBinaries', () => {
  it.each([
    ['sunos', 'sparc'],
    ['win32', 'x64'],
  ])('names DATABASE_URL on %s-%s, where no embedded PostgreSQL runs', async (platform, architecture) => {
    await expect(locateBinaries(platform, architecture)).rejects.toThrow(
      `does not run on ${platform}-${architecture}: set DATABASE_URL`,
    );
  });
});
