/** The buttons of one request. */
import { useRef, useState } from 'react';
import type { Answer, Request } from '../../contract/answer.ts';
import type { Question } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { errorText, hasCode } from '../daemon/daemon-error.ts';
import { Questions } from './questions.tsx';
import { ignoreHeldKey, useSteady } from '../shared/steady.ts';
import './answer-buttons.css';

interface Target {
  sessionId: string;
  request: Request;
  /** The request is over: what happened to it. */
  onResult: (text: string) => void;
}

export const AnswerButtons = (target: Target) => {
  const { request } = target;
  const { answer, isBusy, problem, element } = useAnswer(target);
  const [isDenying, setDenying] = useState(false);
  const isPlan = request.kind === 'plan';
  return (
    <div ref={element} onKeyDownCapture={ignoreHeldKey}>
      <div className="buttons answer">
        <button
          type="button"
          className="main-action"
          disabled={isBusy}
          onClick={() => answer({ behavior: 'allow' }, isPlan ? 'Approved.' : 'Allowed.')}
        >
          {isPlan ? 'Approve the plan' : 'Allow'}
        </button>
        {request.rememberable && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() =>
              answer({ behavior: 'allow', remember: true }, 'Allowed. Claude Code will not ask again.')
            }
          >
            Allow, don’t ask again
          </button>
        )}
        <button
          type="button"
          className="danger"
          disabled={isBusy}
          aria-expanded={isDenying}
          onClick={() => setDenying(!isDenying)}
        >
          {isPlan ? 'Keep planning …' : 'Deny …'}
        </button>
      </div>
      {isDenying && <Denial isBusy={isBusy} onDeny={given => answer(given, 'Denied.')} />}
      <Problem text={problem} />
    </div>
  );
};

export const QuestionForm = ({ questions, ...target }: Target & { questions: Question[] }) => {
  const { answer, isBusy, problem, element } = useAnswer(target);
  return (
    <div ref={element} onKeyDownCapture={ignoreHeldKey}>
      <Questions
        questions={questions}
        isBusy={isBusy}
        onAnswer={answers => answer({ answers }, 'Answered.')}
        onDecline={() => answer({ behavior: 'deny' }, 'Declined.')}
      />
      <Problem text={problem} />
    </div>
  );
};

const useAnswer = ({ sessionId, request, onResult }: Target) => {
  const element = useRef<HTMLDivElement>(null);
  const isSteady = useSteady(element);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = async (given: Answer, result: string): Promise<void> => {
    setSending(true);
    setProblem(null);
    try {
      await call('answerSession', { id: sessionId, body: { ...given, id: request.id } });
      onResult(result);
    } catch (error) {
      if (hasCode(error, 'request_gone')) onResult(errorText(error));
      else setProblem(errorText(error));
    }
    setSending(false);
  };
  return {
    element,
    isBusy: !isSteady || isSending,
    problem,
    answer: (given: Answer, result: string) => void answer(given, result),
  };
};

const Problem = ({ text }: { text: string | null }) =>
  text && (
    <p className="warning" role="alert">
      {text}
    </p>
  );

const Denial = ({ isBusy, onDeny }: { isBusy: boolean; onDeny: (answer: Answer) => void }) => {
  const [message, setMessage] = useState('');
  const [endsTurn, setEndsTurn] = useState(false);
  return (
    <form
      className="denial"
      onSubmit={event => {
        event.preventDefault();
        if (isBusy) return;
        onDeny({
          behavior: 'deny',
          ...(message.trim() !== '' && { message: message.trim() }),
          ...(endsTurn && { interrupt: true }),
        });
      }}
    >
      <input
        autoFocus
        aria-label="Message to the model"
        placeholder="Message to the model (optional)"
        value={message}
        onChange={event => setMessage(event.target.value)}
      />
      <label>
        <input type="checkbox" checked={endsTurn} onChange={event => setEndsTurn(event.target.checked)} /> and
        end the turn
      </label>
      <button type="submit" className="danger" disabled={isBusy}>
        Deny
      </button>
    </form>
  );
};
