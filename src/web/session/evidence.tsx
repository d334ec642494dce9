/** Explains why a session is in its current state: which events led to it, and when. */
import { stateTone } from '../../client/board.ts';
import { useEffect, useState } from 'react';
import { ago } from '../../client/text.ts';
import type { Explanation } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { clockTime } from '../shared/clock.ts';
import './evidence.css';

export const Evidence = ({ session, now }: { session: Session; now: number }) => {
  const { id, seq } = session;
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    call('explainSession', { id, signal: abort.signal })
      .then(setExplanation)
      .catch(() => {});
    return () => abort.abort();
  }, [id, seq]);
  if (!explanation) return <p className="calm">Loading …</p>;
  const { steps, file, hookedAt, requests } = explanation;
  return (
    <div className="evidence">
      <ol aria-label="Evidence, newest first">
        {steps.toReversed().map(({ at, state, reason, evidence }, n) => (
          <li key={n}>
            <time>{clockTime(at)}</time>
            <span className={`chip ${stateTone({ state, reason })}`}>
              {state}
              {reason && `: ${reason}`}
            </span>
            <span className="aim">
              {evidence.source} {evidence.name}, event {evidence.seq}
            </span>
          </li>
        ))}
      </ol>
      <dl className="fields">
        <div>
          <dt>session file</dt>
          <dd>
            {file
              ? `${file.status}${file.waitingFor ? `, waiting for ${file.waitingFor}` : ''} since ${clockTime(file.at)}`
              : 'unknown'}
          </dd>
        </div>
        <div>
          <dt>hooks</dt>
          <dd>{hookedAt ? `last event ${ago(hookedAt, now)} ago` : 'no events'}</dd>
        </div>
        {requests.map(text => (
          <div key={text}>
            <dt>open</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
};
