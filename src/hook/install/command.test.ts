import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { handlerFor, isOwnCommand, pluginHandlerFor } from './command.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-command-'));
});

afterEach(() => rmSync(home, { recursive: true }));

const sh = (command: string, env: Record<string, string> = { HOME: home }) =>
  execFileSync('/bin/sh', ['-c', command], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const emitter = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'emit.sh'), '#!/bin/sh\necho "${DROVER_EMIT%/*}" "$@"\n');
  chmodSync(join(folder, 'emit.sh'), 0o700);
};

test('the default home gives a command that works on any machine', () => {
  const { command, timeout } = handlerFor('Stop', { HOME: home });
  expect(command).toBe(
    'DROVER_EMIT="${DROVER_HOME:-$HOME/.drover}/emit.sh"; test -r "$DROVER_EMIT" && set -- Stop && . "$DROVER_EMIT"; exit 0',
  );
  expect(timeout).toBe(600);
  expect(handlerFor('Stop', { HOME: home, DROVER_HOME: join(home, '.drover') }).command).toBe(command);
  emitter(join(home, '.drover'));
  expect(sh(command)).toBe(`${join(home, '.drover')} Stop\n`);
});

test('hooks that may wait have a longer timeout', () => {
  expect(handlerFor('PermissionRequest', { HOME: home }).timeout).toBe(604_800);
  expect(pluginHandlerFor('PermissionRequest').timeout).toBe(604_800);
  for (const event of ['Stop', 'PreCompact']) expect(pluginHandlerFor(event).timeout).toBe(600);
  expect(pluginHandlerFor('UserPromptSubmit').timeout).toBe(10);
});

test('the plugin tags its events', () => {
  emitter(join(home, '.drover'));
  expect(sh(pluginHandlerFor('Stop').command)).toBe(`${join(home, '.drover')} Stop plugin\n`);
});

test.each(['plain', 'with space', "o'clock", 'a"$HOME`b\\', 'ünï\ncøde'])(
  'a home of its own is quoted: %s',
  name => {
    const own = join(home, name);
    emitter(own);
    const { command } = handlerFor('SessionStart', { HOME: home, DROVER_HOME: own });
    expect(sh(command)).toBe(`${own} SessionStart home\n`);
    expect(isOwnCommand(command)).toBe(true);
  },
);

test('without the emitter or HOME, the command prints nothing and succeeds', () => {
  expect(sh(handlerFor('Stop', { HOME: home }).command)).toBe('');
  expect(sh(handlerFor('Stop', { HOME: home }).command, {})).toBe('');
  expect(sh(handlerFor('Stop', { HOME: home, DROVER_HOME: '/nowhere' }).command)).toBe('');
});

test.each(['', 'emit.sh', '~/bin/emit.sh Stop', 'test -x "$f" && exec "$f" Stop', 'cat /x/emit.sh', 3, null])(
  'what others register is not ours: %s',
  command => expect(isOwnCommand(command)).toBe(false),
);
