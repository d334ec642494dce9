/** What a session asks, or said last, in full; with buttons where it can be answered from here. */
import { useEffect, useState } from 'react';
import { ago, clean } from '../client/text.ts';
import type { Answer, Request } from '../contract/answer.ts';
import type { Session } from '../contract/session.ts';
import type { Actions } from './actions.ts';
import { call } from './call.ts';
import { type Input, ToolInput } from './input.tsx';
import { Markdown } from './markdown.tsx';
import { Questions } from './questions.tsx';

interface Props {
  session: Session;
  /** What waits for an answer from here; null where only its terminal can answer. */
  request: Request | null;
  now: number;
  actions: Actions;
}

export const Asks = ({ session, request, now, actions }: Props) => {
  const { detail, state } = session;
  if (!detail) return state === 'ended' ? null : <p className="calm asks">{quiet[state]}</p>;
  const isAsking = state === 'waiting' && (detail.tool !== null || detail.questions.length > 0);
  if (!isAsking)
    return (
      <section className="card asks" aria-label="What it said last">
        <h2>{session.reason === 'failed' ? 'It failed' : state === 'waiting' ? 'It said' : 'Now'}</h2>
        <Markdown text={detail.text ?? detail.line} />
      </section>
    );
  const agent = detail.agent ? ` (subagent ${clean(detail.agent)})` : '';
  return (
    <section className={`card asks asking${request ? ' open' : ''}`} aria-label="What it asks">
      <h2>
        {titleOf(session)}
        {agent}
      </h2>
      {request ? (
        <OpenRequest key={request.id} request={request} session={session} now={now} actions={actions} />
      ) : (
        <>
          <Closed session={session} />
          <p className="aim">
            {session.pending
              ? 'One moment …'
              : session.approvals === 'held'
                ? 'This one can only be answered in its terminal.'
                : 'Its terminal answers this. “Hold” lets you answer its next requests here too.'}
          </p>
        </>
      )}
    </section>
  );
};

const quiet = {
  ready: 'It has had no prompt yet.',
  working: 'It works.',
  waiting: 'It waits.',
  background: 'Its background tasks go on.',
};

const titleOf = ({ reason, detail }: Session): string => {
  if (detail?.questions.length) return 'It asks';
  if (reason === 'plan') return 'Its plan';
  return `It asks to use ${clean(detail?.tool ?? 'a tool')}`;
};

/** The same without buttons, from what the list knows. */
const Closed = ({ session: { detail, reason } }: { session: Session }) => {
  if (!detail) return null;
  if (detail.questions.length)
    return <Questions questions={detail.questions} onAnswer={null} isBusy={false} />;
  if (reason === 'plan') return <Markdown text={detail.text ?? detail.line} />;
  const input = parsed(detail.text);
  return input ? (
    <ToolInput tool={detail.tool} input={input} />
  ) : (
    <pre tabIndex={0}>{clean(detail.text ?? detail.line)}</pre>
  );
};

const parsed = (text: string | null): Input | null => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Input) : null;
  } catch {
    return null;
  }
};

/** A request that has just come under the hand cannot be answered by a click that was meant for what stood there before. */
const handTime = 350;

const OpenRequest = ({
  request,
  session,
  now,
  actions,
}: {
  request: Request;
  session: Session;
  now: number;
  actions: Actions;
}) => {
  const [isBusy, setBusy] = useState(true);
  const [denies, setDenies] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setBusy(false), handTime);
    return () => clearTimeout(timer);
  }, []);
  const answer = (given: Answer, said: string): void => {
    setBusy(true);
    void actions
      .tryOut(async () => {
        await call('POST', `/sessions/${session.id}/answer`, { ...given, id: request.id });
        return said;
      })
      .then(done => done || setBusy(false));
  };
  const questions = session.detail?.questions ?? [];
  return (
    <>
      {request.kind === 'question' ? (
        <Questions
          questions={questions}
          isBusy={isBusy}
          onAnswer={answers => answer({ answers }, 'Answered.')}
          onDecline={() => answer({ behavior: 'deny' }, 'Declined.')}
        />
      ) : (
        <>
          <ToolInput tool={request.tool} input={request.input ?? {}} />
          <div className="buttons answer">
            <button
              type="button"
              className="main-action"
              disabled={isBusy}
              onClick={() => answer({ behavior: 'allow' }, 'Allowed.')}
            >
              {request.kind === 'plan' ? 'Approve the plan' : 'Allow'}
            </button>
            {request.rememberable && (
              <button
                type="button"
                disabled={isBusy}
                onClick={() =>
                  answer({ behavior: 'allow', remember: true }, "Allowed, and it won't ask again.")
                }
              >
                Allow, don’t ask again
              </button>
            )}
            <button
              type="button"
              className="danger"
              disabled={isBusy}
              aria-expanded={denies}
              onClick={() => setDenies(!denies)}
            >
              {request.kind === 'plan' ? 'Keep planning …' : 'Deny …'}
            </button>
          </div>
          {denies && <Denial isBusy={isBusy} onDeny={given => answer(given, 'Denied.')} />}
        </>
      )}
      <p className="aim">
        Its terminal can answer too; whoever is first wins. Open here for {ago(now, request.until ?? now)}.
      </p>
    </>
  );
};

const Denial = ({ isBusy, onDeny }: { isBusy: boolean; onDeny: (answer: Answer) => void }) => {
  const [message, setMessage] = useState('');
  const [ends, setEnds] = useState(false);
  return (
    <form
      className="denial"
      onSubmit={event => {
        event.preventDefault();
        onDeny({
          behavior: 'deny',
          ...(message.trim() !== '' && { message: message.trim() }),
          ...(ends && { interrupt: true }),
        });
      }}
    >
      <input
        autoFocus
        aria-label="What the model is told"
        placeholder="What the model is told (optional)"
        value={message}
        onChange={event => setMessage(event.target.value)}
      />
      <label>
        <input type="checkbox" checked={ends} onChange={event => setEnds(event.target.checked)} /> and end its
        turn
      </label>
      <button type="submit" className="danger" disabled={isBusy}>
        Deny
      </button>
    </form>
  );
};
