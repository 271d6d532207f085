/**
 * Commands of git that deal with refs and stored objects only. Every other one may call programs which the configuration
 * of a repository names for its files; even writing the index can.
 */
const FILELESS: ReadonlySet<string> = new Set([
  '--version',
  'cat-file',
  'commit-tree',
  'config',
  'diff-tree',
  'for-each-ref',
  'lfs',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
  'symbolic-ref',
  'update-ref',
]);

/** Names the settings of a repository that are such programs, separated by zero bytes. */
export const LIST_DRIVERS = [
  'config',
  '--null',
  '--name-only',
  '--get-regexp',
  '^(filter|merge)\\..*\\.(clean|smudge|process|required|driver)$',
] as const;

/** As `git lfs install` writes them. */
const LFS: ReadonlyMap<string, string> = new Map([
  ['filter.lfs.clean', 'git-lfs clean -- %f'],
  ['filter.lfs.smudge', 'git-lfs smudge -- %f'],
  ['filter.lfs.process', 'git-lfs filter-process'],
  ['filter.lfs.required', 'true'],
]);

export function mayCallDrivers(command: string): boolean {
  return !FILELESS.has(command);
}

export function isLfsSetting(key: string): boolean {
  return LFS.has(key);
}

/**
 * Environment that takes the programs out of a repository's configuration: its filters do nothing, its merge drivers are
 * git's own text merge. Only Git LFS is kept where it is installed, by its own command line: without it its files would
 * be recorded in full. Not `-c key=value`, since the name of a driver may hold an equals sign.
 */
export function driverOverrides(keys: readonly string[], hasLfs: boolean): Record<string, string> {
  const overrides: Record<string, string> = { GIT_CONFIG_COUNT: String(keys.length) };
  for (const [index, key] of keys.entries()) {
    overrides[`GIT_CONFIG_KEY_${index}`] = key;
    overrides[`GIT_CONFIG_VALUE_${index}`] = (hasLfs ? LFS.get(key) : undefined) ?? harmless(key);
  }
  return overrides;
}

function harmless(key: string): string {
  if (key.endsWith('.driver')) return 'git merge-file --quiet --marker-size=%L %A %O %B';
  return key.endsWith('.required') ? 'false' : '';
}
