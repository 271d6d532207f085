import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../migrations/index.js';
import { projectFiles } from './source-tree.js';

const FILE = /^migrations\/(\d{13})-([a-z0-9]+(?:-[a-z0-9]+)*)\.ts$/;

const files = projectFiles().filter((path) => path.startsWith('migrations/') && path !== 'migrations/index.ts');

/** `migrations/1767225600000-create-plan.ts` holds `CreatePlan1767225600000`. */
function classNameOf(path: string): string {
  const [, time = '', words = ''] = FILE.exec(path) ?? [];
  return words.replace(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase()) + time;
}

describe('migrations', () => {
  it.each(files)('%s is named by its time and its purpose', (path) => {
    expect(path).toMatch(FILE);
  });

  it('are all listed, oldest first', () => {
    expect(MIGRATIONS.map((migration) => migration.name)).toEqual(files.map(classNameOf));
  });

  it.each(MIGRATIONS.map((migration) => [migration.name, migration.prototype] as const))(
    '%s has both ways',
    (_, migration) => {
      expect(migration.up.toString()).toContain('.query(');
      expect(migration.down.toString()).toContain('.query(');
    },
  );
});
