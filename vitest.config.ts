import { defineConfig } from 'vitest/config';

/** One PostgreSQL per run, for the projects whose tests need one. */
const globalSetup = ['libs/testing/src/vitest-global-setup.ts'];

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    setupFiles: ['reflect-metadata'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{libs,apps}/**/*.spec.ts', 'test/{architecture,contract}/**/*.spec.ts'] },
      },
      { extends: true, test: { name: 'int', include: ['{libs,apps}/**/*.int-spec.ts'], globalSetup } },
      { extends: true, test: { name: 'e2e', include: ['test/**/*.e2e-spec.ts'], globalSetup } },
    ],
  },
});
