import { expect, test } from 'vitest';
import { allRows, argumentsOf, isExiting, parseRows, rowOf } from './ps.ts';

test('rows are never cut at the width of a terminal', () => {
  for (const args of [allRows, rowOf(1)]) expect(args).toContain('-ww');
});

test('ps is called with options and columns that the manuals of macOS, FreeBSD and procps all list', () => {
  const options = ['-A', '-ww', '-p', '-o'];
  const columns = ['pid', 'ppid', 'pgid', 'tpgid', 'stat', 'rss', 'tty', 'lstart', 'comm', 'args'];
  for (const args of [allRows, rowOf(1), argumentsOf(1)])
    for (const arg of args.filter(one => one !== '1'))
      expect([...options, ...columns.map(name => `${name}=`)]).toContain(arg);
});

test('rows of macOS and of procps are read alike', () => {
  const macos = `    1     0     1     0 Ss     12320 ??       Fri Nov  6 08:01:02 2026 /sbin/launchd
  612   611   612   640 Ss      3344 ttys001  Mon Nov 16 09:10:11 2026 -zsh
  640   612   640   640 S+    402112 ttys001  Mon Nov 16 09:12:00 2026 claude
  655   612   655     0 S     402112 ttys002  Mon Nov 16 09:12:00 2026 /Users/me/.local/share/claude/versions/2.1.325
  641   640   640   640 Z+         0 ttys001  Mon Nov 16 09:12:30 2026 (my program)
`;
  expect(parseRows(macos)).toEqual([
    expect.objectContaining({
      pid: 1,
      tty: '',
      started: Date.UTC(2026, 10, 6, 8, 1, 2) / 1_000,
      name: 'launchd',
    }),
    expect.objectContaining({
      pid: 612,
      parent: 611,
      group: 612,
      foreground: 640,
      tty: 'ttys001',
      name: 'zsh',
    }),
    expect.objectContaining({ pid: 640, kib: 402112, state: 'S+', name: 'claude' }),
    expect.objectContaining({ pid: 655, name: 'claude' }),
    expect.objectContaining({ pid: 641, name: 'my program' }),
  ]);
  expect(parseRows(macos)[0]?.startText).toBe('Fri Nov 6 08:01:02 2026');
  const procps = `   2     0     0    -1 S        0 ?        Mon Nov 16 14:09:32 2026 kthreadd
7110  7001  7110  7110 Sl+ 402112 pts/3    Mon Nov 16 21:16:08 2026 claude
7111  7110  7110  7110 Z+       0 pts/3    Mon Nov 16 21:16:08 2026 two words <defunct>
`;
  expect(parseRows(procps)).toEqual([
    expect.objectContaining({ pid: 2, tty: '', foreground: -1, name: 'kthreadd' }),
    expect.objectContaining({ pid: 7110, tty: 'pts/3', name: 'claude' }),
    expect.objectContaining({ pid: 7111, name: 'two words' }),
  ]);
  expect(parseRows('ps: No such process\n\n')).toEqual([]);
});

test.each([
  ['Z', true],
  ['Z+', true],
  ['X', true],
  ['SE+', true],
  ['?Es', true],
  ['Ss+', false],
  ['R', false],
  ['I<', false],
])('a process in state %s is exiting: %s', (state, expected) => {
  const [row] = parseRows(`1 0 1 0 ${state} 1 ?? Fri Nov  6 08:01:02 2026 a`);
  expect(row && isExiting(row)).toBe(expected);
});
