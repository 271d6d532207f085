import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ServerProcess, TestDatabase } from '@cleveragents/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TOUR = /<!-- tour -->\s*```sh\n(.*?)```/gs;

let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await TestDatabase.create();
  server = await ServerProcess.start(database.variables());
});

afterAll(async () => {
  await server.end('SIGTERM');
  await database.drop();
});

/** The tour as the README prints it, but for where the server is. */
async function tour(): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const blocks = Array.from(readme.matchAll(TOUR), ([, block]) => block);
  return blocks
    .join('\n')
    .replace('http://127.0.0.1:3000', server.baseUrl)
    .replace('.data/token', `${database.dataDir}/token`);
}

describe('the tour of the README', () => {
  it('ends in an applied plan when it is followed to the letter', async () => {
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', await tour()], {
      env: { PATH: process.env.PATH, HOME: database.dataDir },
    });
    expect(stdout).not.toContain('"error"');
    expect(stdout).toContain('"status":"execute/complete"');
    expect(stdout).toContain('+export const greet = (name) => \\"Hello, \\" + name + \\"!\\";');
    expect(stdout).toContain('"status":"apply/applied"');
    expect(stdout).toMatch(/\*\s+[0-9a-f]+ .*\n\|\\/);
  });
});
