import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A new, private, empty directory for files of a test. It vanishes with the test run at the latest. */
export async function makeTestDirectory(): Promise<string> {
  return mkdtemp(join(inject('testRun').directory, 'data-'));
}
