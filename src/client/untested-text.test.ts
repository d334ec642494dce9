import { expect, test } from 'vitest';
import { newestTested } from '../contract/cli-version.ts';
import { aSession } from '../testing/session.ts';
import { untestedLabel, untestedVersions } from './untested-text.ts';

test('the head of the board names untested versions of running sessions, and nothing else', () => {
  const on = (version: string | null, state: 'working' | 'ended' = 'working') => aSession({ version, state });
  const tested = [on(newestTested), on('2.1.197'), on(null), on('9.1.341', 'ended')];
  expect(untestedLabel(untestedVersions(tested))).toBe('');
  expect(untestedLabel(untestedVersions([...tested, on('9.1.340'), on('9.1.340')]))).toBe(
    'Claude Code 9.1.340 is untested',
  );
});
