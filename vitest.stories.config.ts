/** Stories: the whole product, the real CLI, real tmux, a scripted model (see test/README.md). */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size says. Started last, one of them would run alone at the end. */
const long = /\/(?:faults|limits|names|restore|truth|usage)\.story\.test\.ts$/;

/** The long ones first, then the largest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.story.test.ts'],
    globalSetup: ['test/rig/setup.ts'],
    pool: 'forks',
    // They mostly wait: four use about half of two cores.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // A bound for a story that hangs. The longest takes 40 s, and three times that on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
