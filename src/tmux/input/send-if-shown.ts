/**
 * Sends keys only while the pane shows certain rows. tmux compares its screen and sends the keys in one command, so nothing that
 * is painted in between is answered by mistake. The pids come from tmux, so they are valid even where /proc shows other processes.
 */
import { tmux } from '../server/run.ts';
import { tmuxQuote } from '../server/quote.ts';
import type { PaneScreen } from '../server/pane-screen.ts';

/** A key by its tmux name and by the bytes that a terminal sends for it, or text that is typed. */
export type Input = { key: keyof typeof bytes } | { text: string };

const bytes = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Left: '\x1b[D',
  Right: '\x1b[C',
  BSpace: '\x7f',
  Space: ' ',
} as const;

/** Sends the input if the pane still shows these rows; false, and nothing is sent, if not. */
export const sendIfShown = async (
  pane: { socket: string; id: string },
  shown: PaneScreen,
  rows: string[],
  input: Input,
): Promise<boolean> => {
  const send = shown.inMode ? pasteCommand(pane.id, input) : typed(pane.id, input);
  const line = [
    'if-shell',
    '-F',
    '-t',
    pane.id,
    shownFormat(shown, rows),
    send,
    `display-message -p ${refusal}`,
  ];
  const { ok, stdout } = await tmux(pane.socket, ['source-file', '-'], {
    input: `${line.map(tmuxQuote).join(' ')}\n`,
  });
  return ok && !stdout.includes(refusal);
};

const refusal = 'drover-changed';

const typed = (pane: string, input: Input): string =>
  ['send-keys', '-t', pane, ...('key' in input ? [input.key] : ['-l', '--', input.text])]
    .map(tmuxQuote)
    .join(' ');

/** In copy mode `send-keys` would operate that mode. A paste reaches the program itself. */
const pasteCommand = (pane: string, input: Input): string => {
  const buffer = `drover-key-${process.pid}-${++pastes}`;
  const text = 'key' in input ? bytes[input.key] : input.text;
  const set = ['set-buffer', '-b', buffer, '--', text].map(tmuxQuote).join(' ');
  return `${set} ; ${['paste-buffer', '-d', '-r', '-b', buffer, '-t', pane].map(tmuxQuote).join(' ')}`;
};

let pastes = 0;

/** A tmux format that is true while server, pane process and mode are the same and every one of the rows is on the screen. */
export const shownFormat = ({ serverPid, panePid, inMode }: PaneScreen, rows: string[]): string =>
  allOf([
    `#{==:#{pid},${serverPid}}`,
    `#{==:#{pane_pid},${panePid}}`,
    `#{==:#{pane_in_mode},${inMode ? 1 : 0}}`,
    ...new Set(rows.filter(row => row.trim() !== '').map(row => `#{C/r:^${rowPattern(row)}$}`)),
  ]);

/** tmux's `&&` takes two conditions, and formats may not be nested deeply: so they are paired. */
const allOf = (conditions: string[]): string => {
  if (conditions.length < 2) return conditions[0] ?? '1';
  const half = Math.ceil(conditions.length / 2);
  return `#{&&:${allOf(conditions.slice(0, half))},${allOf(conditions.slice(half))}}`;
};

/** A row as a POSIX regular expression inside a tmux format. */
const rowPattern = (row: string): string =>
  row.replace(/[.[\](){}*+?^$|\\,#]/g, char => {
    if (char === '^') return '[\\^]';
    if (char === '}') return '[#}]';
    if (char === ',') return '#,';
    if (char === '#') return '##';
    return `[${char}]`;
  });
