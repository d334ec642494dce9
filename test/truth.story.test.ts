/** Session truth: what Drover says of real sessions, in every scenario, on each version. `npm run truth` writes it down. */
import { describe, expect, test } from 'vitest';
import { versions } from './rig/cli.ts';
import { scenarios } from './truth/scenarios.ts';
import { play } from './truth/scenario.ts';

describe.each(versions)('Claude Code %s', version => {
  test.concurrent.each(scenarios.filter(({ only }) => !only || only === version))(
    '$name',
    async scenario => {
      const sightings = await play(scenario, version);
      expect(sightings.filter(({ right }) => !right)).toEqual([]);
    },
    240_000,
  );
});
