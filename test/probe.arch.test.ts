/** The stored results of the probe: comparable, explained, and in agreement with the code. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventsKnownTo } from '../src/claude/hook-events.ts';
import { SessionFile } from '../src/claude/session-file.ts';
import { differences } from './probe/differences.ts';
import { fieldsOf } from './probe/facts.ts';
import { reliedOn, reliedOnFor } from './probe/relied-on.ts';
import { nearestVersion, readResult, storedVersions } from './probe/results.ts';

test('a difference is shown in one line, for lists as additions and removals', () => {
  const before = { a: true, b: ['x', 'y'], c: 1, d: ['x', 'y'] };
  expect(differences(before, before)).toEqual([]);
  expect(differences(before, { a: false, b: ['y', 'z'], d: ['y', 'x'], e: null })).toEqual([
    'a: true -> false',
    'b: - "x", + "z"',
    'c: not measured any more, was 1',
    'd: ["x","y"] -> ["y","x"]',
    'e: new, null',
  ]);
});

test('a version is compared with itself, else with the newest older one, else with the oldest', () => {
  const stored = ['2.1.9', '2.1.197', '2.1.325'];
  expect(nearestVersion('2.1.197', stored)).toBe('2.1.197');
  expect(nearestVersion('2.1.300', stored)).toBe('2.1.197');
  expect(nearestVersion('3.0.0', stored)).toBe('2.1.325');
  expect(nearestVersion('2.0.1', stored)).toBe('2.1.9');
  expect(nearestVersion('2.0.1', [])).toBe(undefined);
});

test('fields are named with their path, lists count as one', () => {
  expect(fieldsOf({ b: { d: 1, c: [{ x: 1 }] }, a: null, e: {} })).toEqual(['a', 'b.c', 'b.d', 'e']);
});

test('every fact has the code that relies on it, and every entry is measured', () => {
  for (const { code } of Object.values(reliedOn)) expect([code, existsSync(code)]).toEqual([code, true]);
  for (const version of storedVersions()) {
    const names = Object.keys(readResult(version).facts);
    expect([version, names.filter(name => !reliedOnFor(name))]).toEqual([version, []]);
    const used = new Set(names.map(reliedOnFor));
    expect(Object.entries(reliedOn).filter(([, entry]) => !used.has(entry))).toEqual([]);
  }
});

test.each(storedVersions())('what the code says about %s is what was measured', version => {
  const { facts } = readResult(version);
  expect(eventsKnownTo(version).toSorted()).toEqual((facts['hooks.known'] as string[]).toSorted());
  const optional = ['waitingFor', 'tmux'];
  const read = Object.keys(SessionFile.shape).filter(name => !optional.includes(name));
  expect(facts['file.fields']).toEqual(expect.arrayContaining(read));
});
