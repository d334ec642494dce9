/**
 * Esc before the first word of an answer restores the prompt in the CLI, as if it had never been sent. A person continues
 * editing it. A message of ours has nobody to do that, and it would block the next message.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isBeginning, type PromptLine, showsOnly } from '../../claude/screen/prompt-line.ts';
import { limits } from '../../limits.ts';
import type { Target } from '../../tmux/input/send.ts';
import { asTyped, eraseRows, promptOf } from './prompt-input.ts';

/** Clears the prompt if it holds this text of ours and nothing else. A person's draft is left alone. */
export const clearRestoredPrompt = async (target: Target, text: string): Promise<void> => {
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

/** Polls the prompt until it fits; null when the time is over. */
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
