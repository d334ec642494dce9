/**
 * Esc before the first word of an answer puts the prompt back into the CLI's line, as if it had never been sent. A person goes
 * on with it there; what we sent has nobody to go on with it, and the next message would find it in its way.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isBeginning, type PromptLine, showsOnly } from '../../claude/prompt-line.ts';
import { limits } from '../../limits.ts';
import type { Target } from '../../tmux/input/send.ts';
import { asTyped, eraseRows, promptOf } from '../../driver/input/prompt-input.ts';

/** Clears the prompt line when this text of ours stands in it and nothing else; a draft of anybody's is left. */
export const clearPutBack = async (target: Target, text: string): Promise<void> => {
  const ours = asTyped(text);
  let line = await seen(target, limits.message.restoredPrompt, found => showsOnly(found, ours));
  for (let tries = 0; line && line.draft !== '' && tries < 5; tries++) {
    const { draft } = line;
    await eraseRows(target, draft.split('\n').length + 1);
    line = await seen(
      target,
      limits.message.restoredPrompt,
      found => found.draft !== draft && isBeginning(found, ours),
    );
  }
};

/** Looks until the line is so; null when it does not come to it. */
const seen = async (
  target: Target,
  ms: number,
  fits: (line: PromptLine) => boolean,
): Promise<PromptLine | null> => {
  for (const deadline = performance.now() + ms; ; await pause(limits.message.restoredPromptPoll)) {
    const line = await promptOf(target);
    if (line && fits(line)) return line;
    if (performance.now() > deadline) return null;
  }
};
