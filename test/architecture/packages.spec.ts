import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { read } from './source-tree.js';

describe('packages', () => {
  it('are pinned exactly', () => {
    const { dependencies, devDependencies, overrides } = JSON.parse(read('package.json'));
    const versions = Object.values<string>({ ...dependencies, ...devDependencies, ...overrides });
    expect(
      versions.filter((version) => !/^(?:npm:(?:@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
    ).toEqual([]);
  });

  it('do not bring pg-native, which TypeORM would silently prefer and which cuts binary parameters at a NUL', () => {
    expect(() => createRequire(import.meta.url).resolve('pg-native')).toThrow(/Cannot find module/);
  });
});
