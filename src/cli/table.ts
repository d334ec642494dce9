/** Sessions as a table that fits the terminal. */
import type { Session } from '../contract/session.ts';
import { ago, line } from './say.ts';

const icons = { ready: '[⏸]', working: '[▶]', waiting: '[⏸]', background: '[▶]', ended: '[■]' } as const;

const colours = { ready: 0, working: 32, waiting: 33, background: 36, ended: 90 } as const;

/** The lines of the table, a head first; one line that says so when there is nothing. */
export const table = (sessions: Session[], width: number, now: number, colour: boolean): string[] => {
  if (sessions.length === 0)
    return ['no sessions: start claude; `drover doctor` tells whether its hooks arrive'];
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
          ? cut(cell, Math.max(10, width - used))
          : pad(cut(cell, widths[n] as number), widths[n] as number),
      )
      .join('  ')
      .trimEnd();
  return [
    say(head),
    ...rows.map((row, n) => paint(say(row), colour ? colours[(sessions[n] as Session).state] : 0)),
  ];
};

/** The widest that a column may be; the last one takes what is left. */
const caps = [3, 8, 22, 10, 24, 18];

const cells = (session: Session, now: number): string[] => [
  icons[session.state],
  session.id.replace(/^startup-/, '').slice(0, 8),
  `${session.state}${session.reason ? `/${session.reason}` : ''}${session.hooks === 'silent' ? ' silent' : ''}${session.stalled ? ' stalled' : ''}`,
  ago(session.since, now),
  session.project ?? '-',
  session.pane
    ? `${session.pane.session ?? ''}${session.pane.session ? ' ' : ''}${session.pane.id}`
    : (session.host ?? '-'),
  session.detail?.line ?? '',
];

const cut = (text: string, most: number): string => line(text, most);

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - wide(text)));

/** Columns on screen: CJK and emoji take two. */
const wide = (text: string): number => Array.from(text).length + (text.match(twoWide)?.length ?? 0);

const twoWide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/gu;

const paint = (text: string, code: number): string => (code ? `\x1b[${code}m${text}\x1b[0m` : text);
