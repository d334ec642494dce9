/** One session: what it asks in full, what can be done about it, and how it came to this. */
import type { Row } from '../../client/board.ts';
import type { Link } from '../../client/board.ts';
import { ago } from '../../client/text.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import type { Actions } from '../state/actions.ts';
import { Asks } from './asks.tsx';
import { SessionAudit } from '../history/audit.tsx';
import { SessionButtons } from './session-buttons.tsx';
import { Events } from './events.tsx';
import { Evidence } from './evidence.tsx';
import { Gauge } from './gauge.tsx';
import { Messages } from './messages.tsx';
import { useSessionPage } from './session-page.ts';
import { Tabs } from './tabs.tsx';
import { Terminal } from './terminal.tsx';
import { Transcript } from './transcript.tsx';
import { nameOf, stateTone, why } from '../shared/labels.ts';
import './session.css';

interface Props {
  session: Session;
  row: Row | undefined;
  now: number;
  link: Link;
  actions: Actions;
}

export const SessionView = ({ session, row, now, link, actions }: Props) => {
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
          {session.reason && `: ${why(session)}`}
          {session.stalled && ', stalled'}
          <span className="age"> {ago(session.since, now)}</span>
        </p>
        <SessionButtons session={session} row={row} actions={actions} />
      </header>
      <Facts session={session} page={page} now={now} />
      <div className="columns">
        <div className="first">
          <Asks session={session} page={page} now={now} />
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
    ['started', `${ago(session.started, now)} ago${managed ? ', through the hub' : ''}`],
    ['id', id.slice(0, 8)],
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
              <a href={`#/s/${page.from.id}`}>{page.from.id.slice(0, 8)}</a>
            </dd>
          </div>
        )}
        {page?.into.map(kin => (
          <div key={kin.id}>
            <dt>{kin.by} into</dt>
            <dd>
              <a href={`#/s/${kin.id}`}>{kin.id.slice(0, 8)}</a>
            </dd>
          </div>
        ))}
      </dl>
      {context && <Gauge context={context} />}
      {session.hooks === 'silent' && session.state !== 'ended' && (
        <p className="warning">
          Silent: it is alive, but its hooks are not reaching Drover. <code>drover doctor</code> finds out
          why.
        </p>
      )}
    </div>
  );
};
