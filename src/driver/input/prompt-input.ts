/**
 * Types into the prompt line of a CLI: reads the screen, pastes, reads it again, and presses Enter. Nothing is pasted over a draft
 * or into a dialog. Only a UserPromptSubmit proves that Claude Code took the prompt.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  showsNothingElse,
  type PromptLine,
  promptLine,
  showsOnly,
  showsText,
} from '../../claude/screen/prompt-line.ts';
import { assertReads, type PaneRef, pasteText, sendKeys, type Target } from '../../tmux/input/send.ts';
import { tmux } from '../../tmux/server/run.ts';

export type TypeResult =
  /** The text is in the prompt line, not submitted. */
  | 'typed'
  /** The line had other text, which was left alone. */
  | 'draft'
  /** The line still shows the text that was submitted last. */
  | 'stale'
  /** There is no prompt line: a dialog, a start, another program. */
  | 'no prompt'
  /** The text is in the line next to something that was typed at the same moment. */
  | 'mixed'
  /** The text was pasted and does not appear. */
  | 'unseen';

/** Between two reads of the screen, ms. A paste is painted within 20 to 60 ms, a long one later. */
const pollEvery = 25;
const earlyPollEvery = 8;
const earlyPolls = 10;

/** Enter is pressed again after this, ms, if the text is still in the line. */
const enterAgainAfter = 1_000;

/** Pastes text into an empty prompt line and waits until it appears. Throws `refused` when the CLI does not read the pane. */
export const typeText = async (
  target: Target,
  text: string,
  ms: number,
  /** The text is a slash command to run. */
  asCommand = false,
  /** What was typed before. On a busy machine it stays in the line for a while after it was taken. */
  last?: string,
): Promise<TypeResult> => {
  const before = await readPromptLine(target);
  if (!before) {
    assertReads(target);
    return 'no prompt';
  }
  if (before.draft !== '')
    return last !== undefined && showsOnly(before, textToPaste(last)) ? 'stale' : 'draft';
  return pasteIntoPrompt(target, asCommand ? text : textToPaste(text), ms);
};

/** Pastes text unchanged into a prompt line that is known to be shown and empty, and waits until it appears. */
export const pasteIntoPrompt = async (target: Target, text: string, ms: number): Promise<TypeResult> => {
  await pasteText(target, text);
  const deadline = performance.now() + ms;
  for (let polls = 1; performance.now() < deadline; polls++) {
    const line = await readPromptLine(target);
    if (line && showsText(line, text)) return showsNothingElse(line, text) ? 'typed' : 'mixed';
    await nextPaint(target, polls < earlyPolls ? earlyPollEvery : pollEvery, pollEvery);
  }
  return 'unseen';
};

/**
 * Presses Enter, and again only while the text is still in the line, until `isSubmitted`. With `untilGone` it is enough that the
 * text has left the line.
 */
export const pressEnter = async (
  target: Target,
  text: string,
  isSubmitted: () => boolean,
  ms: number,
  untilGone = false,
): Promise<boolean> => {
  const deadline = performance.now() + ms;
  await press(target, 'Enter');
  let pressedAt = performance.now();
  while (!isSubmitted() && performance.now() < deadline) {
    await pause(pollEvery);
    const isDue = performance.now() - pressedAt > enterAgainAfter;
    if (isSubmitted() || (!isDue && !untilGone)) continue;
    const line = await readPromptLine(target);
    const isThere = line !== null && showsText(line, textToPaste(text));
    if (untilGone && line && !isThere) return true;
    if (!isDue || !isThere) continue;
    await press(target, 'Enter');
    pressedAt = performance.now();
  }
  return isSubmitted();
};

/** Runs a slash command that is in the line; true when it has left it. The completion menu may take one Enter. */
export const enterCommand = async (target: Target, text: string, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  let pressedAt = -Infinity;
  for (; performance.now() < deadline; await pause(pollEvery)) {
    const line = await readPromptLine(target);
    if (!line || !showsText(line, text)) return true;
    if (performance.now() - pressedAt < enterAgainAfter) continue;
    await press(target, 'Enter');
    pressedAt = performance.now();
  }
  return false;
};

/** Presses one key, by tmux's name for it; false when tmux rejects it. Throws `refused` when the CLI does not read the pane. */
export const press = (target: Target, key: string): Promise<boolean> => sendKeys(target, [key]);

/** Deletes rows from the end of the prompt line: one C-u for a row, one for the line break before it. */
export const eraseRows = (target: Target, rows: number): Promise<boolean> =>
  sendKeys(
    target,
    Array.from({ length: 2 * rows }, () => 'C-u'),
  );

/** Types text key by key; returns and throws as `press`. */
export const pressText = (target: Target, text: string): Promise<boolean> =>
  sendKeys(target, ['-l', '--', text]);

/** Reads the prompt line of a pane; null when it shows none. */
export const readPromptLine = async ({ socket, pane, control }: PaneRef): Promise<PromptLine | null> => {
  const capture = ['capture-pane', '-p', '-e', '-t', pane];
  return promptLine((await (control?.isOpen ? control.run(capture) : tmux(socket, capture))).stdout);
};

/**
 * The text to paste so that it arrives as text. Enter does not submit after a final backslash or `@name`, so a space follows;
 * the CLI trims it.
 */
export const textToPaste = (text: string): string => `${leadingSpace(text)} `;

/** Text with a space before a leading `!` or `/`, which would run a command. */
const leadingSpace = (text: string): string => (/^[!/]/.test(text) ? ` ${text}` : text);

/** Resolves when the screen was painted, or after a pause where nothing reports it. */
export const nextPaint = ({ control }: PaneRef, ms: number, paintMs = ms): Promise<void> =>
  control?.isOpen ? control.paint(paintMs) : pause(ms);
