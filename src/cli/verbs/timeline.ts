/** `drover timeline`: shows the day as one bar per session. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import type { State } from '../../contract/session.ts';
import type { Timeline, TimelineRow } from '../../contract/timeline.ts';
import { ago, clockTime, line } from '../output/format.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const hours = text(call, 'hours');
  if (hours !== undefined && !/^\d{1,3}$/.test(hours))
    throw new DroverError('usage', `--hours ${hours} is not a number.`);
  const timeline = await ask(call.paths, 'timeline', { query: { hours } });
  if (flag(call, 'json')) call.out(JSON.stringify(timeline));
  else for (const row of lines(timeline, process.stdout.columns || 100)) call.out(row);
  return 0;
};

const nameWidth = 24;
const waitWidth = 12;

const lines = (timeline: Timeline, columns: number): string[] => {
  const width = Math.max(20, columns - nameWidth - waitWidth - 4);
  const { from, to, rows } = timeline;
  return [
    `${clockTime(from)} to ${clockTime(to).slice(11)}: █ waiting  ▒ working  ░ background  · ready`,
    ...rows.map(row => {
      const name = line(`${shortId(row.id)} ${row.project ?? ''}`, nameWidth).padEnd(nameWidth);
      return `${name}  ${bar(row, from, to, width)}  ${waited(row)}`;
    }),
    ...(rows.length ? [] : ['No sessions']),
  ];
};

const marks: Record<State, string> = { waiting: '█', working: '▒', background: '░', ready: '·', ended: ' ' };

/** Draws each cell with the state at its middle. A wait is always shown, however short. */
const bar = ({ spans }: TimelineRow, from: number, to: number, width: number): string =>
  Array.from({ length: width }, (_, cell) => {
    const [start, end] = [cell, cell + 1].map(n => from + ((to - from) * n) / width) as [number, number];
    const inside = spans.filter(({ since, until }) => since < end && until > start);
    const middle = (start + end) / 2;
    const shown =
      inside.find(({ state }) => state === 'waiting') ??
      inside.find(({ since, until }) => since <= middle && until >= middle) ??
      inside[0];
    return shown ? marks[shown.state] : ' ';
  }).join('');

const waited = ({ spans }: TimelineRow): string => {
  const waits = spans.filter(({ state }) => state === 'waiting');
  return waits.length
    ? ago(
        0,
        waits.reduce((sum, { since, until }) => sum + until - since, 0),
      )
    : '';
};
