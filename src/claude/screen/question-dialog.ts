/** Questions of the model on the screen, and the page that reviews their answers. Both are recognised by what was asked. */
import type { Dialog } from './dialog.ts';
import { withoutSpace } from './without-space.ts';

/** A question as its hook tells it. */
export interface AskedQuestion {
  question: string;
  header: string | null;
  multiSelect: boolean;
  options: { label: string; description: string | null }[];
}

/**
 * Which of these questions the dialog asks; null when it asks none of them. The headers of all, the complete text, and every option
 * with its description must be those that were asked.
 */
export const questionOn = <Question extends AskedQuestion>(
  dialog: Dialog | null,
  questions: Question[],
): Question | null => {
  if (!dialog?.isQuestion || !hasHeaders(dialog, questions)) return null;
  return questions.find(question => asks(dialog, question)) ?? null;
};

const asks = ({ menu, labels }: Dialog, { question, multiSelect, options }: AskedQuestion): boolean => {
  const head = menu.head
    .split('\n')
    .map(row => row.replace(/^│/, ''))
    .join('');
  // The CLI adds an option for text of one's own, one to chat, and for several answers one to submit.
  const added = multiSelect ? 3 : 2;
  return (
    withoutSpace(head) === withoutSpace(question) &&
    menu.options.length === options.length + added &&
    options.every(
      ({ label, description }, n) =>
        withoutSpace(labels[n] ?? '') === withoutSpace(label + (description ?? '')),
    )
  );
};

/** Whether the dialog is the page that reviews the answers to these questions: it names all of them, and has two options. */
export const isReview = (dialog: Dialog | null, questions: AskedQuestion[]): boolean => {
  if (!dialog || dialog.isQuestion || dialog.menu.options.length !== 2) return false;
  const shown = withoutSpace(dialog.body.join(''));
  return (
    hasHeaders(dialog, questions) &&
    questions.every(({ question }) => shown.includes(`●${withoutSpace(question)}`))
  );
};

/** Whether the dialog reviews exactly these answers, with submitting them as its first option. Older CLIs ask a last question below them. */
export const isReviewOf = (
  dialog: Dialog | null,
  questions: AskedQuestion[],
  given: Map<string, string[]>,
): boolean => {
  if (!dialog || !isReview(dialog, questions) || !/^Submit\b/.test(dialog.labels[0] ?? '')) return false;
  const shown = withoutSpace(dialog.body.join(''));
  // What stands before the first question is the title of the page.
  const first = shown.indexOf('●');
  const wanted = withoutSpace(questions.map(one => reviewed(one, given)).join(''));
  return [wanted, `${wanted}Readytosubmityouranswers?`].includes(shown.slice(first));
};

/** A question and its answer as the review shows them; several labels in the order of the options. */
const reviewed = ({ question, options }: AskedQuestion, given: Map<string, string[]>): string => {
  const at = (label: string) => options.findIndex(option => option.label === label) + 1 || options.length + 1;
  const labels = (given.get(question) ?? []).toSorted((a, b) => at(a) - at(b));
  return `●${question}→${labels.join(', ')}`;
};

/** Whether the tabs above the dialog are the headers of these questions. */
const hasHeaders = ({ menu }: Dialog, questions: AskedQuestion[]): boolean => {
  const tabs = menu.tabs.map(({ label }) => withoutSpace(label)).filter(label => label !== '✔Submit');
  return JSON.stringify(tabs) === JSON.stringify(questions.map(({ header }) => withoutSpace(header ?? '')));
};
