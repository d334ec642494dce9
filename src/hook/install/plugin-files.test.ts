import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { baseVersion, eventsKnownTo, eventsForAll } from '../../claude/hook-events.ts';
import { version } from '../../version.ts';
import { pluginFiles } from './plugin-files.ts';

test.each(Object.entries(pluginFiles(version)))(
  '%s is what the table says (else: npm run generate)',
  (path, text) => {
    expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
  },
);

test('the plugin registers only events that the oldest supported CLI knows', () => {
  const { hooks } = JSON.parse(pluginFiles(version)['plugin/hooks/hooks.json'] ?? '');
  expect(Object.keys(hooks)).toEqual(eventsForAll([baseVersion]));
  for (const event of Object.keys(hooks)) expect(eventsKnownTo('2.1.197')).toContain(event);
});
