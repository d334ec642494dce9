/**
 * Whether the last message of a turn asks the person something. A rule without a model: it looks only at the end of the message,
 * because what a person has to answer stands there. docs/guides/asks.md describes it, and test/asks measures it.
 */
import { asksWithList, isAddressed, isCloser, isRequest } from './phrases.ts';
import { proseBlocks, sentencesOf, shownProse } from './prose.ts';

/** The part of the rule that decided. */
export type AskingPart = 'question' | 'question-above' | 'options' | 'request' | 'closer' | 'statement';

export interface Asking {
  part: AskingPart;
  /** The sentence that asks; null where nothing is asked. */
  sentence: string | null;
}

/** The text after a question that may still belong to it: a recommendation, a reason. */
const trailingLength = 420;

export const askingOf = (message: string): Asking => {
  const { part, sentence } = decide(message);
  return { part, sentence: sentence === null ? null : shownProse(sentence) };
};

const decide = (message: string): Asking => {
  const blocks = proseBlocks(message);
  const last = blocks.at(-1);
  if (!last) return { part: 'statement', sentence: null };
  return (
    askedAtEnd(blocks.flatMap(block => (block.isOption ? [] : sentencesOf(block.text))).at(-1), last) ??
    askedAboveOptions(blocks) ??
    askedBefore(blocks) ??
    requested(blocks) ?? { part: 'statement', sentence: null }
  );
};

/** Its last sentence is a question. */
const askedAtEnd = (plain: string | undefined, last: Block): Asking | null => {
  const sentence = last.isOption ? sentencesOf(last.text).at(-1) : plain;
  if (sentence === undefined || !isQuestion(sentence)) return null;
  if (!isCloser(sentence)) return { part: 'question', sentence };
  // The last of several options may be "Something else?".
  return last.isOption ? null : { part: 'closer', sentence: null };
};

type Block = ReturnType<typeof proseBlocks>[number];

/** It ends with options, and the line above them asks the person. */
const askedAboveOptions = (blocks: Block[]): Asking | null => {
  const above = blocks.findLastIndex(({ isOption }) => !isOption);
  const heading = blocks[above];
  if (!heading || above === blocks.length - 1) return null;
  const sentence = sentencesOf(heading.text).at(-1);
  if (sentence === undefined) return null;
  const asks = isQuestion(sentence) && isAddressed(sentence) && !isCloser(sentence);
  return asks || asksWithList(sentence) ? { part: 'options', sentence } : null;
};

/** A question to the person stands shortly before the end, and what follows explains it. */
const askedBefore = (blocks: Block[]): Asking | null => {
  let after = 0;
  for (const { text, isOption } of blocks.toReversed()) {
    const sentences = isOption ? [text] : sentencesOf(text);
    for (const sentence of sentences.toReversed()) {
      if (after > 0 && isQuestion(sentence) && isAddressed(sentence))
        return isCloser(sentence) ? null : { part: 'question-above', sentence };
      after += sentence.length;
      if (after > trailingLength) return null;
    }
  }
  return null;
};

/** One of its last two sentences asks the person to decide, to confirm or to give something, without a question mark. */
const requested = (blocks: Block[]): Asking | null => {
  const sentences = blocks.flatMap(({ text, isOption }) => (isOption ? [] : sentencesOf(text)));
  const sentence = sentences.slice(-2).findLast(isRequest);
  return sentence === undefined ? null : { part: 'request', sentence };
};

/** A question mark at its end. Japanese also asks without one. */
const isQuestion = (sentence: string): boolean =>
  /[?？؟]$/u.test(sentence) || /(?:ます|です|でしょう|ましょう)か[。.]?$/u.test(sentence);
