/**
 * Sends keys only while the pane shows certain rows. tmux compares its screen and sends the keys in one command, so nothing that
 * is painted in between is answered by mistake. The pids come from tmux, so they are valid even where /proc shows other processes.
 */
import { tmux } from '../server/run.ts';
import { tmuxQuote } from '../server/quote.ts';
import type { PaneScreen } from '../server/pane-screen.ts';
import { inOnePane, keyBytes, pasteBytes } from './in-one-pane.ts';
import { type ReadsPane, readerFormat } from './pane-reader.ts';

/** A key by its tmux name and by the bytes that a terminal sends for it, text that is typed, or text that is pasted in brackets. */
export type Input = { key: keyof typeof keyBytes } | { text: string } | { paste: string };

/**
 * Sends the input if the pane still shows these rows at the same places, and its reader still reads it; false, and nothing is sent, if
 * not. Rows that are not on the screen that was read are never shown.
 */
export const sendIfShown = async (
  pane: { socket: string; id: string },
  shown: PaneScreen,
  rows: string[],
  input: Input,
  reader?: ReadsPane,
): Promise<boolean> => {
  const proof = shownFormat(shown, rows);
  if (proof === null) return false;
  const isPasted = shown.inMode || 'paste' in input;
  const line = [
    'if-shell',
    '-F',
    '-t',
    pane.id,
    reader ? `#{&&:${readerFormat(reader, shown.serverPid)},${proof}}` : proof,
    isPasted ? pasteCommand(pane.id, input) : inOnePane(pane.id, typed(pane.id, input), bytesOf(input)),
    `display-message -p ${refusal}`,
  ];
  const { ok, stdout } = await tmux(pane.socket, ['source-file', '-'], {
    input: `${line.map(tmuxQuote).join(' ')}\n`,
  });
  return ok && !stdout.includes(refusal);
};

const refusal = 'drover-changed';

const typed = (pane: string, input: Input): string =>
  ['send-keys', '-t', pane, ...('key' in input ? [input.key] : ['-l', '--', bytesOf(input)])]
    .map(tmuxQuote)
    .join(' ');

const bytesOf = (input: Input): string =>
  'key' in input ? keyBytes[input.key] : 'text' in input ? input.text : input.paste;

/** In copy mode `send-keys` would operate that mode. A paste reaches the program itself. */
const pasteCommand = (pane: string, input: Input): string =>
  pasteBytes(pane, bytesOf(input), 'paste' in input ? ['-p'] : ['-r']);

/**
 * A tmux format that is true while server, pane process and mode are the same and every one of the rows is where it was. Null when
 * one of them was not on the screen.
 */
export const shownFormat = (
  { serverPid, panePid, inMode, rows: screen }: PaneScreen,
  rows: string[],
): string | null => {
  const wanted = [...new Set(rows.filter(row => row.trim() !== ''))];
  const places = wanted.map(row => screen.indexOf(row) + 1);
  if (places.includes(0)) return null;
  return allOf([
    `#{==:#{pid},${serverPid}}`,
    `#{==:#{pane_pid},${panePid}}`,
    `#{==:#{pane_in_mode},${inMode ? 1 : 0}}`,
    // The search gives the number of the first row that fits.
    ...wanted.map((row, n) => `#{==:#{C/r:^${rowPattern(row)}$},${places[n]}}`),
  ]);
};

/** tmux's `&&` takes two conditions, and formats may not be nested deeply: so they are paired. */
const allOf = (conditions: string[]): string => {
  if (conditions.length < 2) return conditions[0] ?? '1';
  const half = Math.ceil(conditions.length / 2);
  return `#{&&:${allOf(conditions.slice(0, half))},${allOf(conditions.slice(half))}}`;
};

/** A row as a POSIX regular expression inside a tmux format, where `##` before `[` would stay as it is. */
const rowPattern = (row: string): string =>
  row.replace(/[.[\](){}*+?^$|\\,#]/g, char => {
    if (char === '^') return '[\\^]';
    if (char === '}') return '[#}]';
    if (char === ',') return '#,';
    return `[${char}]`;
  });
