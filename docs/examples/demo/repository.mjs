import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES = {
  'package.json': '{ "type": "module" }\n',
  'README.md': '# api\n\nSays hello.\n',
  'src/greet.js': "export function greet(name) {\n  return 'Hello, ' + name;\n}\n",
  'test/greet.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { greet } from '../src/greet.js';",
    '',
    "test('greets by name', () => assert.equal(greet('Ada'), 'Hello, Ada'));",
    '',
  ].join('\n'),
};

/** A git repository with one commit on `main`: a function, its test, nothing else. */
export function makeRepository(path) {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  git(path, 'init', '--quiet', '--initial-branch=main');
  git(path, 'add', '.');
  git(path, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'Say hello');
}

export function git(path, ...args) {
  return execFileSync('git', args, { cwd: path, encoding: 'utf8' });
}
