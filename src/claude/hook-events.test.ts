import { expect, test } from 'vitest';
import { hookEvents, eventsKnownTo, eventsForAll } from './hook-events.ts';
import { compareVersions } from '../contract/cli-version.ts';

const newer = ['DirectoryAdded', 'PreModelSwitch', 'PostModelSwitch'];

test('the table has every event once', () => {
  expect(hookEvents).toHaveLength(33);
  expect(new Set(hookEvents.map(({ name }) => name)).size).toBe(33);
});

test('a version has the events of its release and of earlier ones', () => {
  expect(eventsKnownTo('2.0.0')).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'Notification',
    'SubagentStop',
    'Stop',
    'PreCompact',
    'SessionEnd',
  ]);
  expect(eventsKnownTo('2.1.197')).toHaveLength(30);
  expect(eventsKnownTo('2.1.218')).not.toContain('DirectoryAdded');
  expect(eventsKnownTo('2.1.219')).toContain('DirectoryAdded');
  expect(eventsKnownTo('2.1.250')).not.toContain('PreModelSwitch');
  expect(eventsKnownTo('2.1.251')).toHaveLength(33);
  expect(eventsKnownTo('3.0.0')).toHaveLength(33);
});

test('an event is registered only if every CLI has it', () => {
  expect(eventsForAll(['2.1.325'])).toEqual(expect.arrayContaining(newer));
  for (const event of newer) expect(eventsForAll(['2.1.325', '2.1.197'])).not.toContain(event);
  expect(eventsForAll(['2.1.325', '2.0.0'])).toEqual(eventsKnownTo('2.0.0'));
});

test('no CLI, or one without a version, counts as the base', () => {
  expect(eventsForAll([])).toEqual(eventsForAll(['2.1.197']));
  expect(eventsForAll(['', '2.1.325'])).toEqual(eventsForAll(['2.1.197']));
  expect(eventsForAll([])).toHaveLength(27);
});

test('events whose hook replaces an action of the CLI are never registered, the frequent one only by name', () => {
  const all = eventsForAll(
    ['2.1.325'],
    hookEvents.map(({ name }) => name),
  );
  expect(all).not.toContain('WorktreeCreate');
  expect(all).not.toContain('WorktreeRemove');
  expect(all).toContain('MessageDisplay');
  expect(eventsForAll(['2.1.325'])).not.toContain('MessageDisplay');
});

test('versions are compared by number', () => {
  expect(compareVersions('2.1.9', '2.1.10')).toBeLessThan(0);
  expect(compareVersions('2.1.10-beta.1', '2.1.10')).toBe(0);
  expect(compareVersions('10.0.0', '9.9.9')).toBeGreaterThan(0);
});
