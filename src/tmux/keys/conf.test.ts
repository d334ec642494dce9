import { expect, test } from 'vitest';
import { sourceLine, withoutSourceLine, withSourceLine } from './conf.ts';
import { freeKeys, keysBoundIn } from '../server/load-conf.ts';
import { defaultKeys } from './keys.ts';

const conf = "/home/o'brien/.drover/tmux.conf";

test.each([
  ['nothing', ''],
  ['one line', 'set -g mouse on\n'],
  ['no last line break', 'set -g mouse on'],
  ['several empty lines', '\n\nset -g mouse on\n\n\n'],
  ['carriage returns', 'set -g mouse on\r\nbind x kill-pane\r\n'],
])('restores a tmux.conf with %s byte for byte', (_, text) => {
  const once = withSourceLine(text, conf);
  expect(once.split('\n')).toContain(sourceLine(conf));
  expect(withSourceLine(once, conf)).toBe(once);
  expect(withoutSourceLine(once)).toBe(text);
});

test('keeps what the user wrote after our line, and replaces the line of another home', () => {
  const later = `${withSourceLine('a\n', conf)}b\n`;
  expect(withoutSourceLine(later)).toBe('a\nb\n');
  const moved = withSourceLine(later, '/elsewhere/tmux.conf');
  expect(moved).toBe(`a\nb\n${sourceLine('/elsewhere/tmux.conf')}\n`);
});

test('leaves a key alone that the user has bound', () => {
  const bound = keysBoundIn(
    [
      'bind -N "last window" Tab last-window',
      'bind-key -r -T prefix S choose-tree',
      'bind -n g resize-pane -Z',
      'bind -T copy-mode B send -X cancel',
      '# bind B kill-server',
    ].join('\n'),
  );
  const { keys, taken } = freeKeys(defaultKeys, bound);
  expect(keys).toEqual({ next: null, skip: null, board: 'g', back: 'B', answer: 'A' });
  expect(taken).toEqual([
    { action: 'next', key: 'Tab', command: 'last-window' },
    { action: 'skip', key: 'S', command: 'choose-tree' },
  ]);
});
