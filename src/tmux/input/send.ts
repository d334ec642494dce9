/** Keys and pastes, each in one tmux command with the check that the right CLI reads them. Nothing else sends input to a pane. */
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Control } from '../server/control.ts';
import { type Reader, type Reads, readingFormat, readingOf } from './keys-reader.ts';
import { tmuxQuote } from '../server/quote.ts';
import { type TmuxResult, tmux } from '../server/run.ts';

/** A pane to look at. */
export interface PaneRef {
  socket: string;
  pane: string;
  /** A connection to use instead of a process for each command. */
  control?: Control;
}

/** A pane to type into, and who must read it. */
export interface Target extends PaneRef {
  /** The server on which the pane was seen; null: not known, then its processes alone must prove it. */
  serverPid: number | null;
  reader: Reader;
}

/** Sends keys, as `send-keys` takes them; false when tmux did not. Throws `refused`, with nothing sent, when the CLI does not read them. */
export const sendKeys = async (target: Target, keys: string[]): Promise<boolean> =>
  (await guarded(target, ['send-keys', '-t', target.pane, ...keys], run)).ok;

/** Pastes text, bracketed. Throws `refused`, with nothing pasted, when the CLI does not read it. */
export const pasteText = async (target: Target, text: string): Promise<void> => {
  const buffer = `drover-${process.pid}-${++pastes}`;
  const paste = ['paste-buffer', '-p', '-d', '-b', buffer, '-t', target.pane];
  const { control, socket } = target;
  try {
    const { ok, error } = await guarded(target, paste, (_, words) => {
      // No command line ever holds the text: it goes over the connection, or through tmux's standard input.
      if (!control?.isOpen || text.length > limits.tmux.commandText)
        return tmux(socket, ['load-buffer', '-b', buffer, '-', ';', ...words], { input: text });
      return Promise.all([control.run(['set-buffer', '-b', buffer, '--', text]), control.run(words, 2)]).then(
        ([set, done]) => (set.ok ? done : set),
      );
    });
    // Not tried again in another way: it may stand there all the same.
    if (!ok) throw new Error(error ?? 'tmux paste-buffer failed');
  } catch (error) {
    // What was not pasted must not stay among the user's buffers.
    await tmux(socket, ['delete-buffer', '-b', buffer]);
    throw error;
  }
};

let pastes = 0;

/** Throws `refused` when the CLI does not read what is typed. */
export const mustRead = ({ pane, serverPid, reader }: Target): Reads => {
  const reading = readingOf(reader, serverPid);
  if (!reading.ok) throw refused(pane, reading.why);
  return reading;
};

/** Runs a command behind the check. What changed between the look at the processes and tmux's own look is looked at once more. */
const guarded = async (
  target: Target,
  command: string[],
  send: (target: Target, words: string[]) => Promise<TmuxResult>,
): Promise<TmuxResult> => {
  const { pane, serverPid } = target;
  for (let looks = 0; looks < 2; looks++) {
    const reading = mustRead(target);
    const then = command.map(tmuxQuote).join(' ');
    const ran = await send(target, [
      'if-shell',
      '-F',
      '-t',
      pane,
      readingFormat(reading, serverPid),
      then,
      `display-message -p ${refusal}`,
    ]);
    if (!ran.stdout.includes(refusal)) return ran;
  }
  throw refused(pane, 'it is another pane by now, or another program runs there');
};

const refusal = 'drover-refused';

/** As a line on tmux's standard input: there a `;` at the end of a word is text, and no process list shows it. */
const run = ({ control, socket }: Target, words: string[]): Promise<TmuxResult> => {
  const line = words.map(tmuxQuote).join(' ');
  return control?.isOpen && line.length <= limits.tmux.commandText
    ? control.run(words, 2)
    : tmux(socket, ['source-file', '-'], { input: `${line}\n` });
};

const refused = (pane: string, why: string): DroverError =>
  new DroverError('refused', `Nothing was typed into pane ${pane}: ${why}.`);
