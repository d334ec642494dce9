/** Stories: the whole product, the real CLI, real tmux, a scripted model (see test/README.md). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.story.test.ts'],
    globalSetup: ['test/rig/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    maxConcurrency: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
