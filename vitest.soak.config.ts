import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.soak.test.ts'],
    globalSetup: ['./test/support/build-when-stale.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/passed-failed-reporter.ts'],
    env: { NO_COLOR: '1' },
  },
});
