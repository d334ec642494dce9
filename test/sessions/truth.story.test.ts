/** Session truth, the short form: scenarios that must stay right. `npm run truth` plays all of them. */
import { describe, expect, test } from 'vitest';
import { oldest, versions } from '../rig/cli.ts';
import { play } from '../truth/scenario.ts';
import { scenarios } from '../truth/scenarios.ts';

const inShort = [
  'start, prompt, stop',
  'permission asked, approved',
  'PostToolUse after waits that only a Notification reported, without a session file',
  '/clear',
  '/exit',
];

describe.each(versions)('Claude Code %s', version => {
  test.each(scenarios.filter(({ name, only }) => inShort.includes(name) && (!only || only === version)))(
    '$name',
    async scenario => {
      const sightings = await play(scenario, version, version === oldest ? 'default' : 'auto');
      expect(sightings.filter(({ right }) => !right)).toEqual([]);
    },
  );
});
