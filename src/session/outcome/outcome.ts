/** What the end of a turn means to the person: a question, finished work, or work that was cut short. */
import type { EarlyStop, Outcome } from '../../contract/session.ts';
import type { Folded, TurnEnd } from '../memory.ts';
import { askingOf } from './asking.ts';

const sentenceLength = 300;

/** The outcome of a turn that ended with this message. */
export const outcomeOf = (message: unknown): Outcome => {
  if (typeof message !== 'string' || message.trim() === '') return done('no-text');
  const { part, sentence } = askingOf(message);
  const shown = sentence === null ? '' : oneLine(sentence);
  return shown === '' ? done(part) : { kind: 'asks', sentence: shown, early: null, rule: part };
};

/** The outcome of a turn that Claude Code ended itself; null where it is an error like any other. */
export const failureOutcome = (failure: string | null, message: unknown): Outcome | null => {
  if (failure === 'max_output_tokens') return early('token_limit', null, 'token-limit');
  // The message is the CLI's own. Its words differ between versions, the link to the policy does not.
  const isRefusal = typeof message === 'string' && message.includes('anthropic.com/legal/aup');
  return isRefusal ? early('refusal', null, 'refusal') : null;
};

/** The outcome of a turn that a Stop hook ended, with the reason that the hook gave. */
export const hookOutcome = (reason: unknown): Outcome =>
  early('stop_hook', typeof reason === 'string' ? oneLine(reason) || null : null, 'stop-hook');

/** The outcome that a session shows. `detectsQuestions`: the config has the rule on. */
export const shownOutcome = (session: Folded, detectsQuestions: boolean): Outcome | null => {
  const { state, reason, memory } = session;
  if (state !== 'waiting' || (reason !== 'stopped' && reason !== 'failed')) return null;
  const outcome = endOfTurn(memory)?.outcome ?? null;
  if (reason === 'failed') return outcome?.kind === 'stopped_early' ? outcome : null;
  if (outcome?.kind === 'asks' && !detectsQuestions) return done('off');
  return outcome ?? done('no-text');
};

/** The end of the last turn; null where only an earlier one is known. */
const endOfTurn = ({ end, prompted }: Folded['memory']): TurnEnd | null =>
  end && end.evidence.at >= prompted ? end : null;

const done = (rule: string): Outcome => ({ kind: 'done', sentence: null, early: null, rule });

const early = (cause: EarlyStop, sentence: string | null, rule: string): Outcome => ({
  kind: 'stopped_early',
  sentence,
  early: cause,
  rule,
});

/** One bounded line without control characters and without those that change the direction of text. */
const oneLine = (text: string): string => {
  const line = text
    .slice(0, 8 * sentenceLength)
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return line.length > sentenceLength ? `${line.slice(0, sentenceLength - 1)}…` : line;
};
