import { describe, expect, it } from 'vitest';
import { LIBRARIES } from '../../.dependency-cruiser.mjs';
import { libraries, linesMatching, productionFiles, projectFiles, read } from './source-tree.js';

describe('libraries', () => {
  it.each(libraries())('%s has one door, index.ts', (library) => {
    expect(projectFiles()).toContain(`libs/${library}/src/index.ts`);
  });

  it.each(libraries().filter((library) => library !== 'testing'))('%s has a row in the dependency rule', (library) => {
    expect(Object.keys(LIBRARIES)).toContain(library);
  });

  it.each(libraries())('%s is an alias of the compiler and a project of the build', (library) => {
    const paths = JSON.parse(read('tsconfig.json')).compilerOptions.paths;
    expect(paths[`@cleveragents/${library}`]).toEqual([`./libs/${library}/src/index.ts`]);
    expect(JSON.parse(read('nest-cli.json')).projects[library].root).toBe(`libs/${library}`);
  });

  it('no file re-exports another wholesale', () => {
    expect(linesMatching(/^\s*export \*/, productionFiles())).toEqual([]);
  });
});
