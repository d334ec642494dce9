/** Dialogs at a start, on screens captured from both versions. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startupDialog, TrustKeys, trustSteps } from './dialogs.ts';

const screen = (name: string, version: string): string =>
  readFileSync(new URL(`../../../test/screens/${name}-${version}.txt`, import.meta.url), 'utf8');

describe.each(['2.1.197', '2.1.325'])('Claude Code %s', version => {
  test.each([
    ['trust', 'trust this folder?'],
    ['theme', 'choose a theme'],
    ['notes', 'read the security notes'],
    ['apikey', 'use the API key of the environment?'],
    ['settings', 'settings warning'],
    ['badsettings', 'settings warning'],
    ['mcp', 'use the MCP server of this project?'],
    ['bypass', 'bypass permissions?'],
    ['ready', null],
  ])('%s', (name, message) => {
    expect(startupDialog(screen(name, version))).toBe(message);
  });
});

test('an unknown dialog is still recognised as one', () => {
  expect(startupDialog('  Something new\n  ❯ Yes\n    No\n  Enter to confirm · Esc to cancel')).toBe(
    'a question at the start',
  );
});

test('a shell, an empty screen and history above a prompt are not dialogs', () => {
  expect(startupDialog('')).toBeNull();
  expect(startupDialog('$ claude\n')).toBeNull();
  expect(startupDialog('Do you trust this folder?\n❯ \n')).toBeNull();
});

test('the distance to "Yes" in the trust dialog, whichever option is highlighted', () => {
  expect(trustSteps(screen('trust', '2.1.197'))).toBe(0);
  expect(trustSteps(screen('trust', '2.1.325'))).toBe(1);
  for (const name of ['bypass', 'theme', 'ready']) expect(trustSteps(screen(name, '2.1.325'))).toBeNull();
});

test('the trust dialog is answered one key at a time', () => {
  const no = screen('trust', '2.1.325');
  const yes = screen('trust', '2.1.197');
  const keys = new TrustKeys();
  expect(keys.next(no, 0)).toBe('Down');
  // Not painted yet: a second one would lead past it.
  expect(keys.next(no, 100)).toBeNull();
  expect(keys.next(yes, 200)).toBe('Enter');
  expect(keys.next(yes, 300)).toBeNull();
  expect(keys.next(screen('ready', '2.1.325'), 400)).toBeNull();
});

test('an ignored key is pressed again, and a late one then has time to arrive', () => {
  const no = screen('trust', '2.1.325');
  const yes = screen('trust', '2.1.197');
  const keys = new TrustKeys();
  expect([0, 500, 1_000].map(now => keys.next(no, now))).toEqual(['Down', null, 'Down']);
  expect(keys.next(yes, 1_100)).toBeNull();
  expect(keys.next(no, 1_200)).toBeNull();
  expect(keys.next(no, 2_200)).toBe('Down');
  expect([2_300, 3_200, 3_300].map(now => keys.next(yes, now))).toEqual([null, null, 'Enter']);
});
