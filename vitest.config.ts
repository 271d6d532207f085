import { defineConfig } from 'vitest/config';

/** Tests with a PostgreSQL and real processes: one server per run, and time enough on a busy machine. */
const onPostgres = {
  globalSetup: ['libs/testing/src/vitest-global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    setupFiles: ['reflect-metadata'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{libs,apps}/**/*.spec.ts', 'test/{architecture,contract}/**/*.spec.ts'] },
      },
      { extends: true, test: { name: 'int', include: ['{libs,apps}/**/*.int-spec.ts'], ...onPostgres } },
      { extends: true, test: { name: 'e2e', include: ['test/**/*.e2e-spec.ts'], ...onPostgres } },
    ],
  },
});
