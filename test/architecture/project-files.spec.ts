import { describe, expect, it } from 'vitest';
import { linesMatching, projectFiles } from './source-tree.js';

const TEXT = /\.(?:ts|mjs|js|json|md|ya?ml|sh|sql|html|txt)$|(?:^|\/)(?:\.[\w.]+|[\w-]+)$/;
const textFiles = () => projectFiles().filter((path) => TEXT.test(path));

const homes = ['home', 'Users', 'work', 'private'].join('|');
const registries = ['registry', 'npm', 'mirror', 'verdaccio', 'artifactory', 'nexus'].join('|');

describe('project files', () => {
  it('name no path of the machine they were written on', () => {
    expect(linesMatching(new RegExp(`(?<![\\w.~}/-])/(?:${homes})/\\w`), textFiles())).toEqual([]);
  });

  it('name no package registry, the lock file included', () => {
    expect(linesMatching(new RegExp(`https?://(?:[\\w-]+\\.)*(?:${registries})[\\w-]*\\.\\w`), textFiles())).toEqual(
      [],
    );
    expect(linesMatching(/"resolved": "http|^registry\s*=/, ['package-lock.json', '.npmrc'])).toEqual([]);
  });
});
