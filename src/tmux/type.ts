/**
 * Typing into the prompt line of a CLI, as a careful person does: look first, paste, look again, press Enter by itself.
 * Nothing is pasted over a draft or into a dialog. Whether it was submitted only Claude Code can say (UserPromptSubmit).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type PromptLine, promptLine, showsText } from '../claude/prompt-line.ts';
import { tmux } from './run.ts';

export interface Target {
  socket: string;
  pane: string;
}

export type Typed =
  /** It stands in the prompt line, not submitted. */
  | 'typed'
  /** Something else stands there; it was left alone. */
  | 'draft'
  /** There is no prompt line to type into: a dialog, a start, another program. */
  | 'no prompt'
  /** It was pasted and is not to be seen. */
  | 'unseen';

/** Between two looks at a screen: a paste is painted within 20 to 60 ms. */
const look = 25;

/** Puts text into an empty prompt line, by one bracketed paste, and waits until it is seen there. */
export const typeText = async (target: Target, text: string, ms: number): Promise<Typed> => {
  const before = await promptOf(target);
  if (!before) return 'no prompt';
  if (before.draft !== '') return 'draft';
  const safe = asTyped(text);
  await paste(target, safe);
  const deadline = performance.now() + ms;
  while (performance.now() < deadline) {
    const line = await promptOf(target);
    if (line && showsText(line, safe)) return 'typed';
    await pause(look);
  }
  return 'unseen';
};

/** Presses Enter, and again only while the text still stands in the line, until `submitted` says so. */
export const pressEnter = async (
  target: Target,
  text: string,
  submitted: () => boolean,
  ms: number,
): Promise<boolean> => {
  const deadline = performance.now() + ms;
  let pressed = -Infinity;
  while (!submitted() && performance.now() < deadline) {
    const now = performance.now();
    if (now - pressed > 1_000) {
      const line = await promptOf(target);
      if (pressed === -Infinity || (line && showsText(line, asTyped(text)))) {
        await press(target, 'Enter');
        pressed = now;
      }
    }
    await pause(look);
  }
  return submitted();
};

/** One key by tmux's name for it. */
export const press = async ({ socket, pane }: Target, key: string): Promise<void> => {
  await tmux(socket, ['send-keys', '-t', pane, key]);
};

export const promptOf = async ({ socket, pane }: Target): Promise<PromptLine | null> =>
  promptLine((await tmux(socket, ['capture-pane', '-p', '-e', '-t', pane])).stdout);

/**
 * What must be pasted so that the text arrives as text: a leading `!` would run a shell command, a leading `/` a slash
 * command, and after a final backslash or `@name` Enter does not submit. The CLI trims the space at the end off again.
 */
export const asTyped = (text: string): string => `${/^[!/]/.test(text) ? ' ' : ''}${text} `;

/** The text goes through tmux's standard input: no command line ever holds it. */
const paste = async ({ socket, pane }: Target, text: string): Promise<void> => {
  const buffer = `drover-${randomUUID()}`;
  const loaded = await tmux(socket, ['load-buffer', '-b', buffer, '-'], { input: text });
  if (!loaded.ok) throw new Error(loaded.error ?? 'tmux load-buffer failed');
  const pasted = await tmux(socket, ['paste-buffer', '-p', '-d', '-b', buffer, '-t', pane]);
  if (!pasted.ok) throw new Error(pasted.error ?? 'tmux paste-buffer failed');
};
