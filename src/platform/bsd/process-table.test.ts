import { expect, test } from 'vitest';
import { limits } from '../../limits.ts';
import { ProcessTable } from './process-table.ts';

const row = (pid: number, second = 0, state = 'S') =>
  `${pid} 1 ${pid} 0 ${state} 100 ?? Mon Nov 16 10:00:0${second} 2026 claude\n`;

/** A table whose ps prints `text`, with a clock that the test sets. */
const open = (text: string) => {
  const made = { text, at: 0, calls: [] as string[] };
  const print = (args: string[]) => {
    const pid = args.includes('-A') ? null : (args[args.indexOf('-p') + 1] as string);
    made.calls.push(pid ?? 'all');
    return pid === null
      ? made.text
      : made.text
          .split('\n')
          .filter(line => line.startsWith(`${pid} `))
          .join('\n');
  };
  const ps = { now: print, later: (args: string[]) => Promise.resolve(print(args)) };
  return Object.assign(made, { table: new ProcessTable(ps, () => made.at) });
};

test('a question about one process reads one row; many read the table once, and again after a moment', () => {
  const made = open([10, 11, 12, 13].map(pid => row(pid)).join(''));
  const ask = () => [10, 11, 12, 13, 10, 11].map(pid => made.table.row(pid)?.pid);
  expect(ask()).toEqual([10, 11, 12, 13, 10, 11]);
  expect(made.calls).toEqual(['10', 'all']);
  made.at += limits.platform.moment;
  ask();
  expect(made.calls).toEqual(['10', 'all', '10', 'all']);
});

test('a process that is younger than the table is found, one that has gone is not', () => {
  const made = open(row(10));
  made.table.all();
  made.text += row(20);
  expect(made.table.row(20)?.pid).toBe(20);
  made.text += row(21);
  expect(made.table.allWith(21).has(21)).toBe(true);
  made.text = '';
  made.at += limits.platform.moment;
  expect(made.table.row(10)).toBe(null);
});

test('a start that is read a second later is the same start', () => {
  const made = open(row(10, 4));
  const first = made.table.row(10);
  made.text = row(10, 5);
  made.table.forget();
  expect(made.table.row(10)?.started).toBe(first?.started);
  made.text = row(10, 7);
  made.table.forget();
  expect(made.table.row(10)?.started).toBe((first?.started ?? 0) + 3);
});

test('the background reading is one for all, every few seconds, and a ps that fails changes nothing', async () => {
  const made = open(row(10));
  made.table.all();
  for (let n = 0; n < 50; n++) made.table.refreshInBackground();
  expect(made.calls).toEqual(['all']);
  made.at += limits.platform.background + 1;
  for (let n = 0; n < 50; n++) made.table.refreshInBackground();
  await made.table.readInBackground();
  expect(made.calls).toEqual(['all', 'all']);
  made.text = '';
  await made.table.readInBackground();
  expect(made.table.lastKnown(10)?.pid).toBe(10);
});
