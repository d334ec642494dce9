/** Pastes a prompt into the prompt line and presses Enter until the CLI has taken it. */
import { limits } from '../../limits.ts';
import type { Target } from '../../tmux/input/send.ts';
import { nextPaint, pressEnter, readPromptLine, typeText } from './prompt-input.ts';

export interface PromptProgress {
  /** The CLI has taken the prompt. */
  isTaken: () => boolean;
  /** The caller has given up, for example at a time limit. */
  isOver: () => boolean;
  /** It is in the prompt line already. */
  isTyped: boolean;
}

/** Submits a prompt to a CLI that no person types into. Resolves when the CLI has taken it, or the caller has given up. */
export const submitPrompt = async (
  target: Target,
  text: string,
  { isTaken, isOver, isTyped }: PromptProgress,
): Promise<void> => {
  if (!isTyped) await typePrompt(target, text, isOver);
  while (!isOver() && !(await pressEnter(target, text, () => isOver() || isTaken(), 5_000)));
};

/** Returns how long a paste may take until it appears, ms. */
export const pasteTime = (text: string): number =>
  limits.print.pasteTimeout + text.length / limits.print.pasteBytesPerMs;

const typePrompt = async (target: Target, text: string, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    if (!(await readPromptLine(target))) {
      await nextPaint(target, limits.print.poll);
      continue;
    }
    const outcome = await typeText(target, text, pasteTime(text));
    // A draft here can only be our own text, painted late.
    if (outcome === 'typed' || outcome === 'draft') return;
    // A prompt line can lose keys right after it appears: text that is not seen is pasted again.
  }
};
