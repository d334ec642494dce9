/** A prompt that must not stand on a command line: pasted into the prompt line, then Enter, until the CLI has taken it. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { pressEnter, promptOf, type Target, typeText } from '../tmux/type.ts';
import { PrintFailure } from './failure.ts';
import type { Turn } from './turn.ts';

/** Resolves when UserPromptSubmit was seen. How long it may take is the turn's to say. */
export const deliver = async (
  target: Target,
  text: string,
  turn: Turn,
  over: () => boolean,
): Promise<void> => {
  await typed(target, text, over);
  while (!over() && !(await pressEnter(target, text, () => over() || turn.submitted, 5_000)));
};

const typed = async (target: Target, text: string, over: () => boolean): Promise<void> => {
  while (!over()) {
    const outcome = await typeText(target, text, limits.pasteSeen);
    if (outcome === 'typed') return;
    // What we pasted may be painted late, and what is painted is not pasted again.
    if (outcome === 'draft' || outcome === 'unseen') {
      if (await appears(target, over)) return;
    } else await pause(limits.printTick);
  }
};

const appears = async (target: Target, over: () => boolean): Promise<boolean> => {
  const line = await promptOf(target);
  if (line?.draft) return true;
  // Keys in the first moments of a prompt are lost: nothing of the paste arrived, so it is pasted again.
  if (line) return false;
  if (!over()) throw new PrintFailure('internal_error', 'the prompt was pasted and the prompt line is gone');
  return false;
};
