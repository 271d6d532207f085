import { describe, expect, it } from 'vitest';
import { projectFiles } from './source-tree.js';

const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  plan: ['module', 'rpc', 'service', 'repository'],
  registry: ['module', 'rpc', 'service', 'repository'],
  health: ['module', 'rpc', 'service', 'repository'],
  namespace: ['module', 'service', 'repository'],
};

describe('every domain is a module of the same few files', () => {
  it.each(Object.entries(DOMAINS))('%s', (domain, roles) => {
    const files = projectFiles().filter((path) => path.startsWith(`libs/${domain}/src/`));
    for (const role of roles) {
      expect(files).toContainEqual(expect.stringMatching(new RegExp(`/${domain}(?:-[a-z-]+)?\\.${role}\\.ts$`)));
    }
  });
});
