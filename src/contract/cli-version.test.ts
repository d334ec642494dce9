import { expect, test } from 'vitest';
import { supported } from '../../test/rig/cli.ts';
import { compareVersions, isUntested, newestTested, untestedOf } from './cli-version.ts';

test('the newest tested version is the newest on which the stories play', () => {
  expect(newestTested).toBe(supported.toSorted(compareVersions).at(-1));
});

test('only versions that are newer than every tested one are untested', () => {
  expect(['2.0.1', ...supported, '2.1.9', 'unknown', '', null].filter(isUntested)).toEqual([]);
  expect(untestedOf(['9.1.10', null, '9.1.9', newestTested, '9.1.10'])).toEqual(['9.1.9', '9.1.10']);
});
