/** Unit tests beside the code, and the architecture rules. Stories have a config of their own. */
import { defineConfig } from 'vitest/config';
import { shText } from './scripts/sh-text.ts';

export default defineConfig({
  plugins: [shText],
  test: {
    include: ['src/**/*.test.ts', 'test/*.arch.test.ts'],
    pool: 'forks',
    // They mostly wait. The default on two cores is a single worker.
    maxWorkers: 3,
    testTimeout: 60_000,
    retry: 0,
  },
});
