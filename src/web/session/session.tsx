/** One session: its open requests or last message, the actions, and the views of its history. */
import { nameOf, stateTone, statusLabel } from '../../client/board.ts';
import type { Link } from '../../client/board.ts';
import { ago } from '../../client/text.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import type { Actions } from '../state/actions.ts';
import { LastMessage } from './last-message.tsx';
import { SessionAudit } from '../history/audit.tsx';
import { SessionButtons } from './session-buttons.tsx';
import { Events } from './events.tsx';
import { Evidence } from './evidence.tsx';
import { Gauge } from './gauge.tsx';
import { Messages } from './messages.tsx';
import { useSessionPage } from './session-page.ts';
import { Requests } from '../requests/requests.tsx';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { Tabs } from './tabs.tsx';
import { Terminal } from './terminal.tsx';
import { Transcript } from './transcript.tsx';
import { shortId } from '../../contract/short-id.ts';
import './session.css';

interface Props {
  session: Session;
  now: number;
  link: Link;
  actions: Actions;
}

export const SessionView = ({ session, now, link, actions }: Props) => {
  const page = useSessionPage(session, link);
  const isLive = link === 'live';
  return (
    <article className="view" aria-label={`Session ${nameOf(session)}`}>
      <header className="title">
        <a className="back" href="#/" aria-label="All sessions">
          ‹
        </a>
        <h1>{nameOf(session)}</h1>
        <p className={`chip ${stateTone(session)}`}>
          {session.state}
          {session.reason && `: ${statusLabel(session)}`}
          {session.stalled && ', stalled'}
          <span className="age"> {ago(session.since, now)}</span>
        </p>
        <SessionButtons session={session} actions={actions} />
      </header>
      <Facts session={session} page={page} now={now} />
      <div className="columns">
        <div className="first">
          <Requests session={session} page={page} now={now} />
          {session.requests.length === 0 && (
            <ErrorBoundary key={session.since}>
              <LastMessage session={session} />
            </ErrorBoundary>
          )}
          <Messages session={session} isLive={isLive} />
        </div>
        <Tabs
          tabs={[
            { name: 'Terminal', body: () => <Terminal session={session} isLive={isLive} /> },
            { name: 'Transcript', body: () => <Transcript session={session} /> },
            { name: 'Events', body: () => <Events session={session} isLive={isLive} /> },
            { name: 'Evidence', body: () => <Evidence session={session} now={now} /> },
            { name: 'Audit', body: () => <SessionAudit session={session} isLive={isLive} /> },
          ]}
        />
      </div>
    </article>
  );
};

const Facts = ({ session, page, now }: { session: Session; page: SessionPage | null; now: number }) => {
  const { id, dir, cwd, model, version, permissionMode, pane, pid, host, origin, managed, context } = session;
  const facts = [
    ['in', cwd ?? dir],
    ['pane', pane && `${pane.session ?? ''}:${pane.windowIndex ?? ''} ${pane.id}`],
    ['process', !pane && pid !== null ? String(pid) : null],
    ['host', host],
    ['origin', origin],
    ['model', model],
    ['mode', permissionMode === 'default' ? null : permissionMode],
    ['Claude Code', version],
    ['started', `${ago(session.started, now)} ago${managed ? ', by Drover' : ''}`],
    ['id', shortId(id)],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]));
  return (
    <div className="facts">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={name === 'id' ? id : undefined}>{value}</dd>
          </div>
        ))}
        {page?.from && (
          <div>
            <dt>{page.from.by} of</dt>
            <dd>
              <a href={`#/s/${page.from.id}`}>{shortId(page.from.id)}</a>
            </dd>
          </div>
        )}
        {page?.into.map(related => (
          <div key={related.id}>
            <dt>{related.by} into</dt>
            <dd>
              <a href={`#/s/${related.id}`}>{shortId(related.id)}</a>
            </dd>
          </div>
        ))}
      </dl>
      {context && <Gauge context={context} />}
      {session.hooks === 'silent' && session.state !== 'ended' && (
        <p className="warning">
          The session is alive, but its hooks do not reach Drover. <code>drover doctor</code> finds the cause.
        </p>
      )}
    </div>
  );
};
