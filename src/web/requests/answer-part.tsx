/** How a request can be answered from here, and the buttons or the form for that. */
import { ago, clean } from '../../client/text.ts';
import { hostLabel, isHostAway } from '../../client/fleet-text.ts';
import type { RequestPage } from '../../contract/answer.ts';
import type { Session } from '../../contract/session.ts';
import { questionsIn } from '../../session/request/detail.ts';
import { AnswerButtons, QuestionForm } from './answer-buttons.tsx';
import type { Choices } from './choices.ts';

interface Props {
  session: Session;
  choices: Choices;
  now: number;
  onResult: (text: string) => void;
  /** The choices have digits. */
  isNumbered?: boolean;
  /** The end of the request was visible: it can be allowed. */
  isRead: boolean;
  /** The message for a denial is open at once. */
  isDenial?: boolean;
}

export const AnswerPart = ({ session, choices, now, onResult, ...display }: Props) => {
  const { page, problem, reload } = choices;
  if (isHostAway(session))
    return (
      <p className="aim">{hostLabel(session)} is away. It can be answered here when that host is back.</p>
    );
  if (!page) return problem ? <p className="warning">{problem}</p> : <p className="calm">Loading …</p>;
  if (page.way === 'none') return <p className="aim">{clean(page.why ?? 'Answer it in its terminal.')}</p>;
  // Whoever answers must see the question.
  if (page.input === null && needsInput(page))
    return <p className="aim">The log no longer has its input. Answer it in the terminal.</p>;
  const target = { sessionId: session.id, request: page, onResult, onRefused: reload };
  return (
    <>
      {page.kind === 'question' ? (
        <QuestionForm {...target} questions={questionsIn(page.input ?? {})} />
      ) : (
        <AnswerButtons {...target} {...display} />
      )}
      <p className="aim">{wayText(page, now)}</p>
    </>
  );
};

const needsInput = ({ kind }: Pick<RequestPage, 'kind'>): boolean =>
  kind === 'permission' || kind === 'question' || kind === 'plan';

const wayText = ({ way, until }: RequestPage, now: number): string =>
  way === 'screen'
    ? 'Drover presses the option in its dialog. You can also answer in the terminal; the first answer wins.'
    : `You can also answer in the terminal; the first answer wins. Held for another ${ago(now, until ?? now)}.`;
