/** `drover usage`: shows tokens and cost. */
import { call as ask } from '../../client/call.ts';
import { durationOf } from '../../client/duration.ts';
import { askHosts, type HostAnswer, missingText } from '../../client/ask-hosts.ts';
import { mergeUsage } from '../../client/merge-usage.ts';
import { budgetText, costText, lastPart, unrecordedText } from '../../client/usage-text.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import type { Usage, UsageFigures, UsageRow } from '../../contract/usage.ts';
import { columns } from '../output/columns.ts';
import { count, line, size } from '../output/format.ts';
import { timeOf } from '../output/time-of.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const by = text(call, 'by') ?? 'day';
  if (!['day', 'project', 'session', 'model'].includes(by))
    throw new DroverError('usage', `--by ${by} is not day, project, session or model.`);
  if (flag(call, 'json') && flag(call, 'csv')) throw new DroverError('usage', 'Choose --json or --csv.');
  const since = sinceOf(text(call, 'since') ?? '30d');
  const read = (host?: string) =>
    ask(call.paths, 'usage', { query: { by, host, ...(since !== null && { since: String(since) }) } });
  const answers = flag(call, 'fleet') ? await askHosts(call.paths, read) : null;
  const usage = answers ? mergeUsage(usagesOf(answers)) : await read();
  const hosts = answers?.map(({ host, answer, problem }) => ({
    host,
    total: answer?.total ?? null,
    problem,
  }));
  if (flag(call, 'json')) call.out(JSON.stringify({ ...usage, ...(hosts && { hosts }) }));
  else for (const row of flag(call, 'csv') ? csvOf(usage) : linesOf(usage)) call.out(row);
  const missing = answers && missingText(answers);
  if (missing && !flag(call, 'json')) call.err(missing);
  return 0;
};

/** This host has answered: otherwise an error was thrown. */
const usagesOf = (answers: HostAnswer<Usage>[]): [Usage, ...Usage[]] =>
  answers.flatMap(({ answer }) => answer ?? []) as [Usage, ...Usage[]];

/** A date is that of this time zone. Whole days begin at midnight: `1d` is yesterday and today. */
const sinceOf = (given: string): number | null => {
  if (given === 'all') return null;
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(given);
  if (date) return new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3])).getTime();
  const time = timeOf(given, 'since');
  if ((durationOf(given) ?? 1) % 86_400_000 !== 0) return time;
  const day = new Date(time);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
};

const linesOf = (usage: Usage): string[] => [
  ...table(usage),
  ...(usage.total.messages > 0
    ? [`Not in the transcript (compaction, titles): ${unrecordedText(usage.unrecorded, count)}`]
    : []),
  ...usage.budgets.map(budgetText),
  ...(usage.total.unpriced.length
    ? [`No price known for ${usage.total.unpriced.join(', ')}: add it under \`prices\` in the config`]
    : []),
  ...(usage.reading.leftBytes > 0
    ? [`Still reading transcripts: ${size(usage.reading.leftBytes)} of ${size(usage.reading.bytes)} left`]
    : []),
  `Cost is API-equivalent, at the prices of ${usage.pricesOf}`,
];

const table = ({ by, rows, total }: Usage): string[] => {
  if (rows.length === 0) return ['No usage in this period'];
  const cells = (name: string, row: UsageFigures) => [
    name,
    count(row.input),
    count(row.output),
    count(row.cacheWrite5m + row.cacheWrite1h),
    count(row.cacheRead),
    row.cost === null ? '-' : `${costText(row.cost)}${row.unpriced.length ? '+' : ''}`,
  ];
  const body = [
    [by, 'input', 'output', 'cache write', 'cache read', 'cost'],
    ...rows.map(row => cells(nameOf(by, row), row)),
    cells('total', total),
  ];
  const widths = body.reduce<number[]>(
    (most, row) => row.map((cell, n) => Math.max(most[n] ?? 0, cell.length)),
    [],
  );
  // Figures are aligned on the right.
  return columns(body.map(row => row.map((cell, n) => (n === 0 ? cell : cell.padStart(widths[n] ?? 0)))));
};

const nameOf = (by: Usage['by'], { name, title, project }: UsageRow): string => {
  if (by === 'session') return line([shortId(name), title ?? lastPart(project ?? '')].join(' '), 40);
  return line(by === 'project' ? lastPart(name) : name, 40);
};

const csvOf = ({ by, rows }: Usage): string[] => [
  [by, ...csvColumns].join(','),
  ...rows.map(row => [quoted(row.name), ...csvColumns.map(column => row[column] ?? '')].join(',')),
];

const csvColumns = [
  'messages',
  'input',
  'output',
  'cacheWrite5m',
  'cacheWrite1h',
  'cacheRead',
  'webSearches',
  'cost',
] as const;

/** A name that a spreadsheet would take for a formula gets an apostrophe. */
const quoted = (name: string): string => {
  const safe = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
