/** A prompt that must not stand on a command line: pasted into the prompt line, then Enter, until the CLI has taken it. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { Target } from '../../tmux/input/send.ts';
import { pressEnter, typeText } from '../../tmux/input/type.ts';
import type { Turn } from '../turn/turn.ts';

/** Resolves when UserPromptSubmit was seen. How long it may take is the turn's to say. */
export const deliver = async (
  target: Target,
  text: string,
  turn: Turn,
  over: () => boolean,
  isTyped = false,
): Promise<void> => {
  if (!isTyped) await typed(target, text, over);
  while (!over() && !(await pressEnter(target, text, () => over() || turn.submitted, 5_000)));
};

/** How long a paste may take until it is seen. */
export const pasteTime = (text: string): number =>
  limits.print.pasteTimeout + text.length / limits.print.pasteBytesPerMs;

const typed = async (target: Target, text: string, over: () => boolean): Promise<void> => {
  while (!over()) {
    const outcome = await typeText(target, text, pasteTime(text));
    // A draft here can only be our own, painted late.
    if (outcome === 'typed' || outcome === 'draft') return;
    // Keys in the first moments of a prompt line can be lost: if nothing of it is seen, it is pasted again.
    if (outcome === 'no prompt') await pause(limits.print.poll);
  }
};
