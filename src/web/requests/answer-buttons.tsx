/** The choices of one request as buttons. */
import { useId, useRef, useState } from 'react';
import { clean } from '../../client/text.ts';
import type { Answer, Choice, RequestPage } from '../../contract/answer.ts';
import type { Question } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { errorText, hasCode } from '../daemon/daemon-error.ts';
import { Confirm } from '../shared/dialogs.tsx';
import { ignoreHeldKey, useSteady } from '../shared/steady.ts';
import { MessageForm } from './message-form.tsx';
import { Questions } from './questions.tsx';
import { ValueForm } from './value-form.tsx';
import { resultOf } from './result.ts';
import './answer-buttons.css';

interface Target {
  sessionId: string;
  request: RequestPage;
  /** The request is over: what happened to it. */
  onResult: (text: string) => void;
  /** The answer was refused; the choices may have changed. */
  onRefused: () => void;
}

interface Looks {
  /** The buttons have digits. */
  isNumbered?: boolean;
  /** The end of the request was visible. Before that nothing can be allowed. */
  isRead: boolean;
  /** The message of the first denial is open at once. */
  isDenial?: boolean;
}

/** A button for each choice. One that takes a message or a confirmation opens that first. */
export const AnswerButtons = ({
  isNumbered = false,
  isRead,
  isDenial = false,
  ...target
}: Target & Looks) => {
  const { request } = target;
  const { answer, isBusy, problem, element } = useAnswer(target);
  const choices = request.choices.filter(({ effect }) => effect !== 'answer');
  const [opened, setOpened] = useState<Choice | null>(
    () => choices.find(({ effect, takesMessage }) => isDenial && effect === 'deny' && takesMessage) ?? null,
  );
  const id = useId();
  const accept = request.choices.find(({ fields }) => fields !== undefined);
  const main = choices.find(({ effect }) => effect === 'allow');
  const close = () => setOpened(null);
  return (
    <div ref={element} onKeyDownCapture={ignoreHeldKey}>
      {accept && (
        <ValueForm accept={accept} isBusy={isBusy || !isRead} onAccept={given => answer(accept, given)} />
      )}
      <div className="buttons answer">
        {choices.map((choice, n) => (
          <button
            key={choice.choice}
            type="button"
            className={choice === main ? 'main-action' : choice.effect === 'deny' ? 'danger' : undefined}
            disabled={isBusy || (choice.effect !== 'deny' && !isRead)}
            aria-expanded={choice.takesMessage ? opened?.choice === choice.choice : undefined}
            aria-describedby={choice.rule ? `${id}-rule` : undefined}
            onClick={() => {
              if (!opensMore(choice)) answer(choice, {});
              else setOpened(opened?.choice === choice.choice ? null : choice);
            }}
          >
            {isNumbered && <kbd aria-hidden="true">{n + 1}</kbd>} {clean(choice.label)}
            {opensMore(choice) && ' …'}
          </button>
        ))}
      </div>
      {choices.map(
        ({ choice, rule }) =>
          rule && (
            <p key={choice} className="aim rule" id={`${id}-rule`}>
              Will not ask again: <code>{clean(rule)}</code>
            </p>
          ),
      )}
      {opened?.takesMessage && (
        <MessageForm
          choice={opened}
          canEndTurn={request.way === 'hook' && opened.choice === 'deny'}
          isBusy={isBusy}
          onSend={given => answer(opened, given)}
        />
      )}
      {opened?.confirm && (
        <Confirm
          title={clean(opened.label)}
          text={clean(opened.confirm)}
          yes={clean(opened.label)}
          onYes={() => {
            close();
            answer(opened, { confirmed: true });
          }}
          onClose={close}
        />
      )}
      <Problem text={problem} />
    </div>
  );
};

const opensMore = ({ takesMessage, confirm }: Choice): boolean =>
  takesMessage === true || confirm !== undefined;

export const QuestionForm = ({ questions, ...target }: Target & { questions: Question[] }) => {
  const { choices } = target.request;
  const { answer, isBusy, problem, element } = useAnswer(target);
  const own = choices.find(({ effect }) => effect === 'answer');
  const deny = choices.find(({ effect }) => effect === 'deny');
  return (
    <div ref={element} onKeyDownCapture={ignoreHeldKey}>
      <Questions
        questions={questions}
        isBusy={isBusy}
        onAnswer={own ? answers => answer(own, { answers }) : null}
        onDecline={deny && (() => answer(deny, {}))}
      />
      <Problem text={problem} />
    </div>
  );
};

const useAnswer = ({ sessionId, request, onResult, onRefused }: Target) => {
  const element = useRef<HTMLDivElement>(null);
  const isSteady = useSteady(element);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = async (choice: Choice, given: Answer): Promise<void> => {
    setSending(true);
    setProblem(null);
    try {
      const body = { ...given, id: request.id, choice: choice.choice };
      const { way } = await call('answerSession', { id: sessionId, body });
      onResult(resultOf(request.kind, choice, way));
    } catch (error) {
      if (hasCode(error, 'request_gone')) onResult(errorText(error));
      else {
        setProblem(errorText(error));
        onRefused();
      }
    }
    setSending(false);
  };
  return {
    element,
    isBusy: !isSteady || isSending,
    problem,
    answer: (choice: Choice, given: Answer) => void answer(choice, given),
  };
};

const Problem = ({ text }: { text: string | null }) =>
  text && (
    <p className="warning problem" role="alert">
      {text}
    </p>
  );
