/**
 * Typing into the prompt line of a CLI, as a careful person does: look first, paste, look again, press Enter by itself.
 * Nothing is pasted over a draft or into a dialog. Whether it was submitted only Claude Code can say (UserPromptSubmit).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isAlone, type PromptLine, promptLine, showsOnly, showsText } from '../../claude/prompt-line.ts';
import { tmux } from '../../tmux/server/run.ts';
import { mustRead, type PaneRef, pasteText, sendKeys, type Target } from '../../tmux/input/send.ts';

export type Typed =
  /** It stands in the prompt line, not submitted. */
  | 'typed'
  /** Something else stands there; it was left alone. */
  | 'draft'
  /** What was typed last still stands there: taken, and not wiped off yet. */
  | 'stale'
  /** There is no prompt line to type into: a dialog, a start, another program. */
  | 'no prompt'
  /** It stands in the prompt line beside something that came in the same moment. */
  | 'mixed'
  /** It was pasted and is not to be seen. */
  | 'unseen';

/** Between two looks at a screen: a paste is painted within 20 to 60 ms, a long one later. */
const look = 25;
const earlyLook = 8;
const earlyLooks = 10;

/** Puts text into an empty prompt line, by one bracketed paste, and waits until it is seen there. Throws `refused` when the CLI does not read it. */
export const typeText = async (
  target: Target,
  text: string,
  ms: number,
  /** A slash command is to be run, not read. */
  asCommand = false,
  /** What was typed into this line before: on a busy machine it stands there for a while after it was taken. */
  last?: string,
): Promise<Typed> => {
  const before = await promptOf(target);
  if (!before) {
    mustRead(target);
    return 'no prompt';
  }
  if (before.draft !== '') return last !== undefined && showsOnly(before, asTyped(last)) ? 'stale' : 'draft';
  return putText(target, asCommand ? text : asTyped(text), ms);
};

/** The same for whoever knows that the line is there and empty; the text as it is to be pasted. */
export const putText = async (target: Target, text: string, ms: number): Promise<Typed> => {
  await pasteText(target, text);
  const deadline = performance.now() + ms;
  for (let looks = 1; performance.now() < deadline; looks++) {
    const line = await promptOf(target);
    if (line && showsText(line, text)) return isAlone(line, text) ? 'typed' : 'mixed';
    await painted(target, looks < earlyLooks ? earlyLook : look);
  }
  return 'unseen';
};

/**
 * Presses Enter, and again only while the text still stands in the line, until `submitted` says so; with `untilGone` it is
 * enough that the text has left the line.
 */
export const pressEnter = async (
  target: Target,
  text: string,
  submitted: () => boolean,
  ms: number,
  untilGone = false,
): Promise<boolean> => {
  const deadline = performance.now() + ms;
  await press(target, 'Enter');
  let pressed = performance.now();
  while (!submitted() && performance.now() < deadline) {
    await pause(look);
    const again = performance.now() - pressed > 1_000;
    if (submitted() || (!again && !untilGone)) continue;
    const line = await promptOf(target);
    const stands = line !== null && showsText(line, asTyped(text));
    if (untilGone && line && !stands) return true;
    if (!again || !stands) continue;
    await press(target, 'Enter');
    pressed = performance.now();
  }
  return submitted();
};

/** Runs a slash command that stands in the line; true when it has left it. The menu that completes it may take one Enter. */
export const enterCommand = async (target: Target, text: string, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  let pressed = -Infinity;
  for (; performance.now() < deadline; await pause(look)) {
    const line = await promptOf(target);
    if (!line || !showsText(line, text)) return true;
    if (performance.now() - pressed < 1_000) continue;
    await press(target, 'Enter');
    pressed = performance.now();
  }
  return false;
};

/** One key by tmux's name for it; false when tmux did not take it. Throws `refused` when the CLI does not read it. */
export const press = (target: Target, key: string): Promise<boolean> => sendKeys(target, [key]);

/** Takes rows away from the end of what stands in the prompt line: a row, then the line end before it, with each key. */
export const eraseRows = (target: Target, rows: number): Promise<boolean> =>
  sendKeys(
    target,
    Array.from({ length: 2 * rows }, () => 'C-u'),
  );

/** Text as it stands, key by key; false and throws as `press`. */
export const pressText = (target: Target, text: string): Promise<boolean> =>
  sendKeys(target, ['-l', '--', text]);

export const promptOf = async ({ socket, pane, control }: PaneRef): Promise<PromptLine | null> => {
  const look = ['capture-pane', '-p', '-e', '-t', pane];
  return promptLine((await (control?.isOpen ? control.run(look) : tmux(socket, look))).stdout);
};

/**
 * What must be pasted so that the text arrives as text: a leading `!` would run a shell command, a leading `/` a slash
 * command, and after a final backslash or `@name` Enter does not submit. The CLI trims the space at the end off again.
 */
export const asTyped = (text: string): string => `${leadingSpace(text)} `;

/** Text with a space before a leading `!` or `/`, which would run a command. */
export const leadingSpace = (text: string): string => (/^[!/]/.test(text) ? ` ${text}` : text);

/** Time to look again: something was painted, or nothing tells. */
const painted = ({ control }: PaneRef, ms: number): Promise<void> =>
  control?.isOpen ? control.paint(look) : pause(ms);
