import { expect, test } from 'vitest';
import { newestTested } from '../../contract/cli-version.ts';
import { cliChecks } from './cli-checks.ts';

test('a version that is newer than the tested ones is named, and what could not be read on it', () => {
  const unread = [{ version: '9.1.340', kinds: ['permission', 'plan'] }];
  expect(cliChecks({ newestTested, untested: ['9.1.340'], unread })).toMatchObject([
    { ok: null, says: `Claude Code 9.1.340 is newer than ${newestTested}, the newest tested version` },
    {
      ok: false,
      says: 'answers by keys are off for 9.1.340: its permission and plan dialogs could not be read',
    },
  ]);
});

test('with tested versions, or a daemon that reports none, there is nothing to say', () => {
  expect(cliChecks({ newestTested, untested: [], unread: [] })).toEqual([]);
  expect(cliChecks(undefined)).toEqual([]);
});
