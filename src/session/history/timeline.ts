/** The timeline: past and present spans, a row for each session. */
import type { Session } from '../../contract/session.ts';
import type { Timeline, TimelineRow } from '../../contract/timeline.ts';
import { type Span, spanOf } from './span.ts';

/** Returns the rows between two times; `live` are the sessions whose last span is not over. */
export const timelineOf = (over: Span[], live: Session[], from: number, to: number): Timeline => {
  const open = live.filter(({ headless }) => !headless).map(session => spanOf(session, to));
  const going = new Set(open.map(({ sessionId }) => sessionId));
  const rows = new Map<string, TimelineRow>();
  for (const { sessionId: id, project, since, until, state, reason } of [...over, ...open]) {
    // Two sources reported these states in the same millisecond: nothing to draw.
    if (until <= from || until <= since) continue;
    const row = rows.get(id) ?? { id, project, live: going.has(id), spans: [] };
    row.project = project ?? row.project;
    row.spans.push({ state, reason, since: Math.max(since, from), until: Math.min(until, to) });
    rows.set(id, row);
  }
  const first = ({ spans }: TimelineRow) => spans[0]?.since ?? to;
  return { from, to, rows: [...rows.values()].sort((a, b) => first(a) - first(b) || (a.id < b.id ? -1 : 1)) };
};
