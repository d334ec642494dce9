/** Who did what, when, from where and with what result, for all sessions or for one. */
import { useEffect, useState } from 'react';
import { auditWhat, auditWho } from '../../client/audit-text.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { clockTime, dateText } from '../shared/clock.ts';
import type { Shown } from '../state/store.ts';
import { shortId } from '../../contract/short-id.ts';
import './wide-view.css';
import './audit.css';

/** A refused action changes no state, so nothing announces it. */
const pollInterval = 10_000;

/** Shows the actions on all sessions. */
export const Audit = ({ shown: { board } }: { shown: Shown }) => {
  const entries = useAudit(undefined, board.link === 'live', board.sessions);
  return (
    <section className="wide-view" aria-label="Audit">
      <header>
        <h1>Who did what</h1>
      </header>
      <Entries entries={entries} />
    </section>
  );
};

/** Shows the actions on one session, and attempts from inside it. */
export const SessionAudit = ({ session, isLive }: { session: Session; isLive: boolean }) => (
  <Entries entries={useAudit(session.id, isLive, session.seq)} isOfOne />
);

const Entries = ({ entries, isOfOne = false }: { entries: AuditEntry[] | null; isOfOne?: boolean }) => {
  if (!entries) return <p className="calm">Reading …</p>;
  if (entries.length === 0) return <p className="calm">No actions yet.</p>;
  return (
    <div className="audit" tabIndex={0} role="region" aria-label="Actions">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Action</th>
            {!isOfOne && <th scope="col">Session</th>}
            <th scope="col">Result</th>
            <th scope="col">By</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {entries.toReversed().map(entry => (
            <tr key={entry.seq} className={entry.result === 'ok' ? undefined : 'failed'}>
              <td>
                <time title={new Date(entry.at).toISOString()}>
                  {dateText(entry.at)} {clockTime(entry.at)}
                </time>
              </td>
              <th scope="row">{entry.action}</th>
              {!isOfOne && (
                <td>
                  {entry.sessionId === null ? (
                    '–'
                  ) : (
                    <a href={`#/s/${entry.sessionId}`}>{shortId(entry.sessionId)}</a>
                  )}
                </td>
              )}
              <td className="result">{entry.result}</td>
              <td>{auditWho(entry.caller)}</td>
              <td className="what">{auditWhat(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Reads the newest actions at an interval, and whenever `version` changes. */
const useAudit = (session: string | undefined, isLive: boolean, version: unknown): AuditEntry[] | null => {
  const [entries, setEntries] = useState<AuditEntry[] | null>(null);
  useEffect(() => {
    if (!isLive) return undefined;
    const abort = new AbortController();
    const read = () =>
      call('readAudit', { query: { session, last: 200 }, signal: abort.signal })
        .then(page => setEntries(page.entries))
        .catch(() => {});
    void read();
    const timer = setInterval(() => void read(), pollInterval);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [session, isLive, version]);
  return entries;
};
