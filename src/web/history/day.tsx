/** The day: every session as a bar, coloured by its state. */
import { titleOf, pastStateText, stateTone } from '../../client/board.ts';
import { useEffect, useState } from 'react';
import { ago } from '../../client/text.ts';
import type { Timeline, TimelineRow, TimelineSpan } from '../../contract/timeline.ts';
import { call } from '../daemon/call.ts';
import { clockTime, hourTime } from '../shared/clock.ts';
import type { Shown } from '../state/store.ts';
import './wide-view.css';
import './day.css';

const spans = [
  ['1', 'Last hour'],
  ['6', '6 hours'],
  ['', 'Today'],
  ['24', '24 hours'],
  ['168', 'Week'],
] as const;

/** Bars grow with time, so they are read again at this interval and with every change of a state. */
const pollInterval = 10_000;

export const Day = ({ shown }: { shown: Shown }) => {
  const [hours, setHours] = useState<string>('');
  const timeline = useTimeline(shown, hours);
  return (
    <section className="wide-view" aria-label="The day">
      <header>
        <h1>Sessions over time</h1>
        <div className="together" role="group" aria-label="Period">
          {spans.map(([value, name]) => (
            <button key={name} type="button" aria-pressed={hours === value} onClick={() => setHours(value)}>
              {name}
            </button>
          ))}
        </div>
        <ul className="legend" aria-label="Colours">
          {['asking', 'stopped', 'working', 'background', 'ready'].map(tone => (
            <li key={tone}>
              <span className={`swatch ${tone}`} aria-hidden="true" /> {legend[tone]}
            </li>
          ))}
        </ul>
      </header>
      {!timeline ? (
        <p className="calm">Loading …</p>
      ) : timeline.rows.length === 0 ? (
        <p className="calm">No sessions in this period.</p>
      ) : (
        <Chart timeline={timeline} />
      )}
    </section>
  );
};

const legend: Record<string, string> = {
  asking: 'Needs an answer',
  stopped: 'Waiting for you',
  working: 'Working',
  background: 'Background',
  ready: 'Ready',
};

const Chart = ({ timeline }: { timeline: Timeline }) => {
  const { rows, to } = timeline;
  const from = beginOf(timeline);
  return (
    <div className="chart">
      <div className="axis" aria-hidden="true">
        <span />
        <div>
          {ticks(from, to).map(at => (
            <span key={at} style={{ left: `${((at - from) / (to - from)) * 100}%` }}>
              {tickText(at, to - from)}
            </span>
          ))}
        </div>
        <span />
      </div>
      <ul>
        {rows.map(row => (
          <Bar key={row.id} row={row} from={from} to={to} />
        ))}
      </ul>
    </div>
  );
};

/** The chart starts a little before the first event, without the empty morning. */
const beginOf = ({ from, to, rows }: Timeline): number => {
  const first = Math.min(...rows.flatMap(({ spans: all }) => all[0]?.since ?? to));
  return Math.max(from, first - Math.max(1_000, (to - first) * 0.02));
};

const Bar = ({ row, from, to }: { row: TimelineRow; from: number; to: number }) => {
  const waited = totalOf(row, 'waiting');
  const worked = totalOf(row, 'working') + totalOf(row, 'background');
  const summary = `: waited ${ago(0, waited)}, worked ${ago(0, worked)}${row.live ? '' : ', ended'}`;
  return (
    <li>
      <a href={`#/s/${row.id}`} title={summary}>
        <span className="name">
          {titleOf(row)}
          <span className="unseen">{summary}</span>
        </span>
        <span className="bar" aria-hidden="true">
          {row.spans.map(span => (
            <span
              key={span.since}
              className={`span ${stateTone(span)}`}
              title={`${hourTime(span.since)}–${hourTime(span.until)} ${pastStateText(span)}, ${ago(span.since, span.until)}`}
              style={placeOf(span, from, to)}
            />
          ))}
        </span>
        <span className="age" aria-hidden="true">
          {waited ? ago(0, waited) : ''}
        </span>
      </a>
    </li>
  );
};

const placeOf = ({ since, until }: TimelineSpan, from: number, to: number) => ({
  left: `${((since - from) / (to - from)) * 100}%`,
  width: `${((until - since) / (to - from)) * 100}%`,
});

const totalOf = ({ spans: all }: TimelineRow, state: TimelineSpan['state']): number =>
  all.filter(span => span.state === state).reduce((sum, { since, until }) => sum + until - since, 0);

const tickText = (at: number, length: number): string => {
  if (length > 48 * 3_600_000) return new Date(at).toLocaleDateString(undefined, { weekday: 'short' });
  return length < 5 * 60_000 ? clockTime(at) : hourTime(at);
};

/** Round times for the axis, about eight of them. */
const ticks = (from: number, to: number): number[] => {
  const minute = 60_000;
  const steps = [1 / 6, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 1_440].map(step => step * minute);
  const step = steps.find(one => (to - from) / one <= 9) ?? 1_440 * minute;
  const shift = new Date(from).getTimezoneOffset() * minute;
  const first = Math.ceil((from - shift) / step) * step + shift;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, n) => first + n * step);
};

const useTimeline = ({ board }: Shown, hours: string): Timeline | null => {
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  const changes = Array.from(
    board.sessions.values(),
    ({ id, state, since }) => `${id}${state}${since}`,
  ).join();
  useEffect(() => {
    if (board.link !== 'live') return undefined;
    const abort = new AbortController();
    const read = () =>
      void call('timeline', { query: { hours: hours || undefined }, signal: abort.signal })
        .then(setTimeline)
        .catch(() => {});
    const soon = setTimeout(read, 50);
    const timer = setInterval(read, pollInterval);
    return () => {
      clearTimeout(soon);
      clearInterval(timer);
      abort.abort();
    };
  }, [board.link, changes, hours]);
  return timeline;
};
