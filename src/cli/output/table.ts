/** Formats sessions as a table that fits the terminal. */
import type { Session } from '../../contract/session.ts';
import { whereOf } from '../../contract/origin.ts';
import { queueOf } from '../../session/queue.ts';
import { summaryLine } from '../../client/request-text.ts';
import { ago, line, pad, wide } from '../../client/text.ts';
import { shortId } from '../../contract/short-id.ts';

const icons = { ready: '[⏸]', working: '[▶]', waiting: '[⏸]', background: '[▶]', ended: '[■]' } as const;

const colours = { ready: 0, working: 32, waiting: 33, background: 36, ended: 90 } as const;

export interface TableRow {
  text: string;
  /** ANSI colour code; 0 for none. */
  colour: number;
}

/** Returns the header and one row per session, or a hint if there are none. */
export const table = (sessions: Session[], width: number, now: number): TableRow[] => {
  if (sessions.length === 0)
    return [
      { text: 'No sessions. Start claude; `drover doctor` checks whether its hooks arrive.', colour: 0 },
    ];
  const rows = sessions.map(session => cells(session, now));
  const head = ['', 'session', 'state', 'age', 'project', 'pane', 'asks'];
  const widths = head.map((title, n) =>
    n === 6
      ? 0
      : Math.min(caps[n] as number, Math.max(title.length, ...rows.map(row => wide(row[n] as string)))),
  );
  const used = widths.reduce((sum, column) => sum + column, 0) + 2 * 6;
  const say = (row: string[]) =>
    row
      .map((cell, n) =>
        n === 6
          ? line(cell, Math.max(10, width - used))
          : pad(line(cell, widths[n] as number), widths[n] as number),
      )
      .join('  ')
      .trimEnd();
  return [
    { text: say(head), colour: 0 },
    ...rows.map((row, n) => ({ text: say(row), colour: colours[(sessions[n] as Session).state] })),
  ];
};

/** Maximum column widths; the last column gets the rest. */
const caps = [3, 8, 28, 10, 24, 18];

const cells = (session: Session, now: number): string[] => [
  icons[session.state],
  shortId(session.id),
  [
    `${session.state}${session.reason ? `/${session.reason}` : ''}`,
    session.hooks === 'silent' ? 'silent' : '',
    session.stalled ? 'stalled' : '',
    queueOf([session], now)[0]?.deferred ?? '',
  ]
    .filter(Boolean)
    .join(' '),
  ago(session.since, now),
  session.project ?? '-',
  session.pane
    ? `${session.pane.session ?? ''}${session.pane.session ? ' ' : ''}${session.pane.id}`
    : (whereOf(session) ?? '-'),
  summaryLine(session),
];
