import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasApprovers } from './approvers.ts';
import { handlerFor } from './command.ts';

const setUp = () => {
  const home = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { HOME: home };
  const put = (file: string, value: unknown) => {
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const group = (command: string) => [{ hooks: [{ type: 'command', command }] }];
  return { env, home, put, group, found: () => hasApprovers(env, join(home, 'app')) };
};

test('own hooks, other events and broken files do not count', () => {
  const { env, put, group, found } = setUp();
  expect(found()).toBe(false);
  const own = [{ hooks: [handlerFor('PermissionRequest', env)] }];
  put('.claude/settings.json', { hooks: { PermissionRequest: own, Stop: group('say done') } });
  put('app/.claude/settings.json', '{ "hooks": ');
  expect(found()).toBe(false);
});

test.each([
  ['.claude/settings.json', 'PermissionRequest'],
  ['app/.claude/settings.json', 'PermissionRequest'],
  ['app/.claude/settings.local.json', 'Elicitation'],
])('a hook of another in %s for %s may decide', (file, event) => {
  const { put, group, found } = setUp();
  put(file, { hooks: { [event]: group('approve') } });
  expect(found()).toBe(true);
});

test("a plugin's hook counts too", () => {
  const { home, put, group, found } = setUp();
  put('.claude/plugins/installed_plugins.json', {
    plugins: { 'p@m': [{ installPath: join(home, 'plug') }] },
  });
  put('plug/hooks/hooks.json', { hooks: { PermissionRequest: group('approve') } });
  expect(found()).toBe(true);
});
