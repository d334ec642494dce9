/** The outcome of a turn in words. */
import type { EarlyStop, Outcome, Session } from '../../contract/session.ts';

/** What a list says of a session in one line: the question, the request, or the beginning of its last message. */
export const shownLine = ({ outcome, detail }: Partial<Pick<Session, 'outcome' | 'detail'>>): string | null =>
  (outcome?.kind === 'stopped_early' ? earlyText(outcome) : outcome?.sentence) ?? detail?.line ?? null;

/** `token limit reached`, `stopped by a hook: the budget is used up`. Null on other hosts, which do not say why. */
export const earlyText = ({ early, sentence }: Outcome): string | null =>
  early && `${earlyTexts[early]}${sentence === null ? '' : `: ${sentence}`}`;

const earlyTexts: Record<EarlyStop, string> = {
  token_limit: 'token limit reached',
  refusal: 'the model refused',
  stop_hook: 'stopped by a hook',
};

/** Why the rule decided so, for `drover explain`. A newer host may name a part that is not known here. */
export const ruleText = ({ rule }: Outcome): string | null =>
  rule === null ? null : ((ruleTexts as { [part: string]: string | undefined })[rule] ?? rule);

const ruleTexts = {
  question: 'its last sentence is a question',
  'question-above': 'a question to you stands shortly before the end',
  options: 'a question to you stands above the options at the end',
  request: 'it asks you to decide, confirm or provide something',
  closer: 'its last question only offers more help',
  statement: 'nothing at its end asks you',
  'no-text': 'there is no last message',
  off: 'it ends with a question, but `asks` is off in config.json',
  'token-limit': 'Claude Code reported max_output_tokens',
  refusal: 'Claude Code reported a refusal of the model',
  'stop-hook': 'the transcript says that a Stop hook ended the turn',
};
