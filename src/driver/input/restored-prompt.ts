/**
 * Esc before the first word of an answer restores the prompt in the CLI, as if it had never been sent. A person continues
 * editing it. Nobody edits a message of ours, so it would block the next one.
 */
import { isBeginning, type PromptLine, showsOnly } from '../../claude/screen/prompt-line.ts';
import { limits } from '../../limits.ts';
import { pollUntil } from '../../poll-until.ts';
import type { Target } from '../../tmux/input/send.ts';
import { eraseRows, readPromptLine, textToPaste } from './prompt-input.ts';

/** Clears the prompt if it holds this text of ours and nothing else. A person's draft is left alone. */
export const clearRestoredPrompt = async (target: Target, text: string): Promise<void> => {
  const ours = textToPaste(text);
  let line = await pollPrompt(target, limits.message.restoredPrompt, found => showsOnly(found, ours));
  for (let tries = 0; line && line.draft !== '' && tries < 5; tries++) {
    const { draft } = line;
    await eraseRows(target, draft.split('\n').length + 1);
    line = await pollPrompt(
      target,
      limits.message.restoredPrompt,
      found => found.draft !== draft && isBeginning(found, ours),
    );
  }
};

/** Polls the prompt until it fits; null when the time is over. */
const pollPrompt = (
  target: Target,
  ms: number,
  fits: (line: PromptLine) => boolean,
): Promise<PromptLine | null> => {
  const read = async () => {
    const line = await readPromptLine(target);
    return line && fits(line) ? line : null;
  };
  return pollUntil(read, ms, limits.message.restoredPromptPoll);
};
