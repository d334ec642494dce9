/** Whether and when Claude Code has taken a prompt. */
import { withoutPasteMarks } from '../../claude/paste-marks.ts';
import { readTail } from '../../claude/transcript-file.ts';
import { type TranscriptLine, textBlocks, transcriptLines } from '../../claude/transcript.ts';
import { withoutSpace } from '../../claude/screen/without-space.ts';

/** Whether a prompt that Claude Code reports is this text. The CLI marks a long paste and turns tabs into spaces. */
export const isSamePrompt = (prompt: unknown, text: string): boolean =>
  typeof prompt === 'string' && bare(prompt) === bare(text);

/** The text itself may contain such marks. */
const bare = (text: string): string => withoutSpace(withoutPasteMarks(text));

/**
 * When the transcript shows that a prompt was taken: as the start of a turn, or in the middle of one, for which 2.1.197 fires
 * no hook. Null when it does not, or not yet.
 */
export const promptAcceptedAt = (
  transcript: string | null,
  since: number,
  isIt: (prompt: unknown) => boolean,
): number | null => {
  const tail = transcript === null ? null : readTail(transcript);
  if (!tail) return null;
  const line = transcriptLines(tail.text, tail.fromStart).find(
    one => !one.isSidechain && timeOf(one) >= since && isIt(promptIn(one)),
  );
  return line ? timeOf(line) : null;
};

const timeOf = ({ timestamp }: TranscriptLine): number => Date.parse(timestamp ?? '');

const promptIn = ({ type, message, attachment }: TranscriptLine): unknown => {
  if (type === 'attachment') return attachment?.type === 'queued_command' ? attachment.prompt : null;
  if (type !== 'user') return null;
  return typeof message?.content === 'string' ? message.content : textBlocks(message?.content)[0];
};
