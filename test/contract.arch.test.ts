/** What programs and people rely on is recorded for each version, and nothing of it changes without a word in the CHANGELOG. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changesSince, type Contract, contract, lastRecord } from '../scripts/contract.ts';
import { version } from '../src/version.ts';

/** What stands in the CHANGELOG above the section of the recorded version. */
const unreleased = (text: string, recorded: string): string => {
  const released = text.search(
    new RegExp(`^## ${recorded.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'),
  );
  if (released < 0) throw new Error(`CHANGELOG.md has no dated section for ${recorded}`);
  return text.slice(0, released);
};

/** The changes that it does not name, in backticks. */
const unlisted = (before: Contract, after: Contract, text: string): string[] =>
  changesSince(before, after).filter(name => !text.includes(`\`${name}\``));

test('every change of a route, field, event, command, exit code or setting since the last release is in the CHANGELOG', () => {
  const { version: last, recorded } = lastRecord();
  const text = unreleased(readFileSync('CHANGELOG.md', 'utf8'), last);
  expect(unlisted(recorded, contract(), text)).toEqual([]);
});

test('the version that is built has a dated section and a record, or is newer than both', () => {
  const { version: last } = lastRecord();
  expect(version.localeCompare(last, 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
});

test('a change without a word is found, and a new thing is named once', () => {
  const before = contract();
  const changed = { ...before, 'Session.state': 'number' };
  expect(unlisted(before, changed, '')).toEqual(['Session.state']);
  expect(unlisted(before, changed, '- `Session.state` is a number.')).toEqual([]);
  const added = {
    ...before,
    'POST /fly': 'drive',
    'POST /fly body': 'object',
    'POST /fly body.far': 'boolean',
  };
  expect(unlisted(before, added, '')).toEqual(['POST /fly']);
  const { 'event Parking': _, ...removed } = before;
  expect(unlisted(before, removed, '')).toEqual(['event Parking']);
  expect(Object.keys(before).filter(name => name.startsWith('drover '))).not.toEqual([]);
  expect(before['error no_session']).toBe('HTTP 404, exit 4');
});
