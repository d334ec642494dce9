/**
 * Stories: the whole product, the real CLI, real tmux, a scripted model (see test/README.md). Those of the project `fast` start no
 * CLI.
 */
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

/** Stories that start no CLI. There is none on the PATH of their worlds. */
const fast = [
  'test/faults/flood.story.test.ts',
  'test/fleet/{credentials,enrol,enrol-permissions,enrol-ssh,reader,revoked}.story.test.ts',
  'test/page/{browser,notices,page-changes,page-crowd,phone}.story.test.ts',
  'test/reference/*.story.test.ts',
  'test/rig/*.story.test.ts',
  'test/setup/{deep-home,untested-cli}.story.test.ts',
  'test/tmux/tmux-setup.story.test.ts',
  'test/wake/wake-storm.story.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/rig/setup.ts'],
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // They mostly wait: four use about two thirds of two cores. With six, stories that time things failed now and then.
    maxWorkers: 4,
    // A bound for a story that hangs. The longest takes 40 s, and three times that on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
    projects: [
      { extends: true, test: { name: 'cli', include: ['test/**/*.story.test.ts'], exclude: fast } },
      { extends: true, test: { name: 'fast', include: fast, env: { DROVER_TEST_NO_CLI: '1' } } },
    ],
  },
});
