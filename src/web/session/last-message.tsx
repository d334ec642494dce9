/** The last message of a session, or what it is doing. The rest of a long one is loaded on request. */
import { useState } from 'react';
import type { Detail, Session } from '../../contract/session.ts';
import { earlyText } from '../../session/outcome/outcome-text.ts';
import { clean } from '../../client/text.ts';
import { errorText } from '../daemon/daemon-error.ts';
import { loadWhole } from './load-whole.ts';
import { Markdown } from '../shared/lazy-markdown.tsx';
import './last-message.css';

const quiet = {
  ready: 'No prompt yet.',
  working: 'Working …',
  waiting: 'Waiting for you.',
  background: 'Background tasks are running.',
};

export const LastMessage = ({ session }: { session: Session }) => {
  const { detail, state } = session;
  if (!detail) return state === 'ended' ? null : <p className="calm last-message">{quiet[state]}</p>;
  return (
    <section className="card last-message" aria-label="Last message">
      <h2>{titleOf(session)}</h2>
      <Ending outcome={session.outcome} detail={detail} />
      <Text key={detail.text ?? detail.line} sessionId={session.id} detail={detail} />
    </section>
  );
};

const titleOf = ({ state, reason, outcome }: Session): string => {
  if (outcome?.kind === 'stopped_early') return 'Stopped early';
  if (reason === 'failed') return 'Error';
  return state === 'waiting' || state === 'ended' ? 'Last message' : 'Now';
};

/** The sentence that asks, or why the turn stopped early. A long message hides its end; one that is only the question does not. */
const Ending = ({ outcome, detail }: Pick<Session, 'outcome'> & { detail: Detail }) => {
  const text = outcome?.kind === 'asks' ? outcome.sentence : outcome && earlyText(outcome);
  if (!text || (detail.text ?? detail.line).trim() === text) return null;
  return <p className="ending">{clean(text)}</p>;
};

const Text = ({ sessionId, detail }: { sessionId: string; detail: Detail }) => {
  const [fullText, setFullText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    setLoading(true);
    setProblem(null);
    try {
      const text = await loadWhole(sessionId, detail);
      setFullText(text);
      if (text === null) setProblem('The rest is neither in the log nor in the transcript.');
    } catch (error) {
      setProblem(errorText(error));
    }
    setLoading(false);
  };
  return (
    <>
      <div className="long" tabIndex={0} role="region" aria-label="Text">
        <Markdown text={fullText ?? detail.text ?? detail.line} />
      </div>
      {detail.cut > 0 && fullText === null && (
        <p className="aim missing">
          {detail.cut.toLocaleString('en')} more characters.{' '}
          <button type="button" disabled={isLoading} onClick={() => void load()}>
            Show all
          </button>
        </p>
      )}
      {problem && (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};
