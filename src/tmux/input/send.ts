/** Sends keys and pastes, each in one tmux command with the check that the right CLI reads them. Nothing else sends input to a pane. */
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Control } from '../server/control.ts';
import { type ForeignReader, type Reader, type ReadsPane, readerFormat, checkReader } from './pane-reader.ts';
import { bytesOfKeys, notSynchronized, pasteBytes } from './in-one-pane.ts';
import { tmuxQuote } from '../server/quote.ts';
import { type TmuxResult, tmux } from '../server/run.ts';

/** A pane to read. */
export interface PaneRef {
  socket: string;
  pane: string;
  /** An open connection, used instead of a process for each command. */
  control?: Control;
}

/** A pane to type into, and the process that must read it. */
export interface Target extends PaneRef {
  /** The server of the pane; null when it is not known: then only the processes are checked. */
  serverPid: number | null;
  reader: Reader | ForeignReader;
}

/** Sends keys as `send-keys` takes them; false when tmux rejects them. Throws `refused`, and sends nothing, when the CLI does not read the pane. */
export const sendKeys = async (target: Target, keys: string[]): Promise<boolean> => {
  const typed = ['send-keys', '-t', target.pane, ...keys].map(tmuxQuote).join(' ');
  const { ok, stdout } = await runChecked(target, typed, run, notSynchronized);
  if (!stdout.includes(refusal)) return ok;
  const bytes = bytesOfKeys(keys);
  if (bytes === null)
    throw refused(target.pane, `with synchronize-panes, ${keys.join(' ')} would reach other panes too`);
  const pasted = await runChecked(target, pasteBytes(target.pane, bytes, ['-r']), runAlone);
  return pasted.ok;
};

/** Pastes text, bracketed. Throws `refused`, and pastes nothing, when the CLI does not read the pane. */
export const pasteText = async (target: Target, text: string): Promise<void> => {
  const buffer = `drover-${process.pid}-${++pastes}`;
  const paste = ['paste-buffer', '-p', '-d', '-b', buffer, '-t', target.pane].map(tmuxQuote).join(' ');
  const { control, socket } = target;
  try {
    const { ok, error } = await runChecked(target, paste, (_, words) => {
      // The text never appears on a command line: it goes over the connection, or through tmux's standard input.
      if (!control?.isOpen || text.length > limits.tmux.commandText)
        return tmux(socket, ['load-buffer', '-b', buffer, '-', ';', ...words], { input: text });
      return Promise.all([control.run(['set-buffer', '-b', buffer, '--', text]), control.run(words, 2)]).then(
        ([set, done]) => (set.ok ? done : set),
      );
    });
    // Not tried in another way: it may still have been pasted.
    if (!ok) throw new Error(error ?? 'tmux paste-buffer failed');
  } catch (error) {
    // A buffer that was not pasted must not stay among the user's.
    await tmux(socket, ['delete-buffer', '-b', buffer]);
    throw error;
  }
};

let pastes = 0;

/** Throws `refused` when the CLI does not read the pane. */
export const assertReads = ({ pane, serverPid, reader }: Target): ReadsPane => {
  const reading = checkReader(reader, serverPid);
  if (!reading.ok) throw refused(pane, reading.why);
  return reading;
};

/**
 * Runs a command after the check, once more if something changed between our check and tmux's. With `also`, tmux checks that too, and
 * the result of a failure has the text of `refusal`.
 */
const runChecked = async (
  target: Target,
  command: string,
  send: (target: Target, words: string[]) => Promise<TmuxResult>,
  also?: string,
): Promise<TmuxResult> => {
  const { pane, serverPid } = target;
  for (let tries = 1; ; tries++) {
    const reading = assertReads(target);
    const reads = readerFormat(reading, serverPid);
    const ran = await send(target, [
      'if-shell',
      '-F',
      '-t',
      pane,
      also === undefined ? reads : `#{&&:${reads},${also}}`,
      command,
      `display-message -p ${refusal}`,
    ]);
    if (!ran.stdout.includes(refusal) || (also !== undefined && tries === 2)) return ran;
    if (tries === 2) throw refused(pane, 'it is now another pane, or another program runs there');
  }
};

const refusal = 'drover-refused';

/** Runs it from tmux's standard input: there a `;` at the end of a word is text, and no process list shows it. */
const run = (target: Target, words: string[]): Promise<TmuxResult> => {
  const { control } = target;
  const line = words.map(tmuxQuote).join(' ');
  return control?.isOpen && line.length <= limits.tmux.commandText
    ? control.run(words, 2)
    : runAlone(target, words);
};

const runAlone = ({ socket }: Target, words: string[]): Promise<TmuxResult> =>
  tmux(socket, ['source-file', '-'], { input: `${words.map(tmuxQuote).join(' ')}\n` });

const refused = (pane: string, why: string): DroverError =>
  new DroverError('refused', `Nothing was typed into pane ${pane}: ${why}.`);
