/** Unit tests beside the code, and the architecture rules. Stories have a config of their own. */
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';
import { unitTests } from './scripts/pure-tests.ts';
import { shText } from './scripts/sh-text.ts';

const { pure, others } = unitTests('src');

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    retry: 0,
    projects: [
      {
        extends: true,
        plugins: [shText],
        test: {
          name: 'pure',
          include: pure,
          pool: 'threads',
          isolate: false,
          // Some wait for a child or a daemon.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [shText],
        test: {
          name: 'own process',
          include: [...others, 'test/*.arch.test.ts'],
          pool: 'forks',
          // They mostly wait. The default on two cores is a single worker.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
