/** `drover stats`: shows how long sessions waited for you. */
import { call as ask } from '../../client/call.ts';
import { askHosts, type HostAnswer, missingText } from '../../client/ask-hosts.ts';
import { DroverError } from '../../contract/error.ts';
import type { Figures, Stats } from '../../contract/stats.ts';
import { ago, count, line } from '../output/format.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const days = text(call, 'days') ?? '14';
  if (!/^\d{1,3}$/.test(days)) throw new DroverError('usage', `--days ${days} is not a number.`);
  const read = (host?: string) => ask(call.paths, 'stats', { query: { days, host } });
  if (flag(call, 'fleet')) return printHosts(call, await askHosts(call.paths, read));
  const stats = await read();
  if (flag(call, 'json')) call.out(JSON.stringify(stats));
  else for (const row of lines(stats)) call.out(row);
  return 0;
};

/** A line for each host: medians cannot be added up. */
const printHosts = (call: Call, answers: HostAnswer<Stats>[]): number => {
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ hosts: answers.map(({ answer, ...host }) => ({ ...host, stats: answer })) }));
    return 0;
  }
  const known = answers.flatMap(({ host, answer }) => (answer ? [{ name: host, ...answer }] : []));
  const waits = known.reduce((sum, one) => sum + one.waits, 0);
  const open = known.reduce((sum, one) => sum + one.open.waits, 0);
  const hosts = `${known.length} ${known.length === 1 ? 'host' : 'hosts'}`;
  call.out(`${waitsText(waits)} answered on ${hosts}, ${count(open)} waiting now`);
  for (const row of drawRows('host', known)) call.out(row);
  const missing = missingText(answers);
  if (missing) call.err(missing);
  return 0;
};

const waitsText = (waits: number): string => `${count(waits)} ${waits === 1 ? 'wait' : 'waits'}`;

const lines = (stats: Stats): string[] => [
  `${waitsText(stats.waits)} answered in ${stats.days.length} days: median ${long(stats.median)}, longest ${long(stats.longest)}, ${long(stats.total)} in total`,
  ...(stats.unanswered ? [`${count(stats.unanswered)} more ended with their session`] : []),
  stats.open.waits
    ? `${count(stats.open.waits)} waiting now, the oldest for ${long(stats.open.longest)}`
    : 'No session is waiting now',
  ...drawRows(
    'day',
    stats.days.map(({ day, ...figures }) => ({ name: day, ...figures })),
  ),
  ...(stats.waits ? drawRows('reason', stats.reasons) : []),
  ...(stats.waits ? drawRows('project', stats.projects.slice(0, 10)) : []),
];

/** Draws rows of figures, each with a bar for its total. */
const drawRows = (title: string, rows: (Figures & { name: string })[]): string[] => {
  const largest = Math.max(1, ...rows.map(({ total }) => total));
  const names = rows.map(({ name }) => line(name, 24));
  const width = Math.max(title.length, ...names.map(name => name.length));
  const say = (cells: string[]) =>
    [cells[0]?.padEnd(width), ...cells.slice(1, 5).map(cell => cell.padStart(10)), cells[5]]
      .join('  ')
      .trimEnd();
  return [
    '',
    say([title, 'waits', 'median', 'longest', 'total', '']),
    ...rows.map(({ waits, median, longest, total }, n) =>
      say([
        names[n] as string,
        waits ? count(waits) : '-',
        ...(waits ? [long(median), long(longest), long(total)] : ['', '', '']),
        bar(total / largest),
      ]),
    ),
  ];
};

const bar = (share: number): string => {
  const eighths = Math.round(share * 24 * 8);
  const last = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8] as string;
  return '█'.repeat(Math.floor(eighths / 8)) + last;
};

const long = (length: number): string => ago(0, length);
