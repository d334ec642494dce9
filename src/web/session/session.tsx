/** One session: its open requests or last message, the actions, and the views of its history. */
import { useState } from 'react';
import { changesLabel, titleOf, stateText, stateTone } from '../../client/board.ts';
import type { Link } from '../../client/board.ts';
import { whyAway } from '../../client/fleet-text.ts';
import { ago, clean } from '../../client/text.ts';
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { modeText } from '../../client/mode-text.ts';
import { tasksText } from '../../session/tasks.ts';
import type { Actions } from '../state/actions.ts';
import { LastMessage } from './last-message.tsx';
import { SessionButtons } from './session-buttons.tsx';
import { Gauge } from './gauge.tsx';
import { Messages } from './messages.tsx';
import { useSeen } from './seen.ts';
import { useSessionPage, withPage } from './session-page.ts';
import { Requests } from '../requests/requests.tsx';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { lazyView } from '../shared/lazy-view.tsx';
import { Tabs } from './tabs.tsx';
import { Terminal } from './terminal.tsx';
import { shortId } from '../../contract/short-id.ts';
import { memoryText } from '../../client/board/labels.ts';
import './session.css';

const Transcript = lazyView(async () => (await import('./transcript.tsx')).Transcript);
const DeniedCard = lazyView(async () => (await import('./denied-card.tsx')).DeniedCard);
const Changes = lazyView(async () => (await import('./changes.tsx')).Changes);
const Events = lazyView(async () => (await import('./events.tsx')).Events);
const Evidence = lazyView(async () => (await import('./evidence.tsx')).Evidence);
const SessionUsage = lazyView(async () => (await import('../usage/session-usage.tsx')).SessionUsage);
const SessionAudit = lazyView(async () => (await import('../history/audit.tsx')).SessionAudit);

interface Props {
  session: Session;
  now: number;
  link: Link;
  /** Other sessions that a request blocks, in the order of the queue. */
  others: string[];
  actions: Actions;
}

export const SessionView = ({ session: row, now, link, others, actions }: Props) => {
  const page = useSessionPage(row, link);
  const [offer, setOffer] = useState<{ text: string } | null>(null);
  useSeen(row, link);
  const session = withPage(row, page);
  const away = whyAway(row, now);
  const isLive = link === 'live' && away === null;
  return (
    <article className="view" aria-label={`Session ${titleOf(session)}`}>
      <div className="top">
        <header className="title">
          <a className="back" href="#/" aria-label="All sessions">
            ‹
          </a>
          <h1>{titleOf(session)}</h1>
          {session.fleet && <p className="chip host">{session.fleet.name}</p>}
          <p className={`chip ${away === null ? stateTone(session) : 'stale'}`}>
            {stateText(session, now)}
            <span className="age"> {ago(session.since, now)}</span>
          </p>
          <p className="shortcuts">
            {others[0] !== undefined && <a href={`#/s/${others[0]}`}>{others.length} more</a>}
            <button type="button" className="quiet" onClick={showTerminal}>
              Terminal
            </button>
          </p>
        </header>
        <SessionButtons session={session} actions={actions} />
      </div>
      {away !== null && (
        <p className="warning" role="status">
          {away} Showing the last known state.
        </p>
      )}
      <Facts session={session} page={page} now={now} />
      <div className="columns">
        <div className="first">
          <Requests session={session} page={page} now={now} />
          {session.requests.length === 0 && (
            <ErrorBoundary key={session.since}>
              <LastMessage session={session} />
            </ErrorBoundary>
          )}
          {session.denied?.last.length && session.state !== 'ended' ? (
            <DeniedCard session={session} onOffer={text => setOffer({ text })} />
          ) : null}
          <Messages session={session} isLive={isLive} offer={offer} />
        </div>
        <Tabs
          tabs={[
            { name: 'Terminal', body: () => <Terminal session={session} isLive={isLive} /> },
            { name: 'Transcript', body: () => <Transcript session={session} /> },
            {
              name: 'Changes',
              body: () => <Changes session={session} isLive={isLive} now={now} />,
            },
            { name: 'Events', body: () => <Events session={session} isLive={isLive} /> },
            { name: 'Evidence', body: () => <Evidence session={session} now={now} /> },
            { name: 'Usage', body: () => <SessionUsage session={session} isLive={isLive} /> },
            { name: 'Audit', body: () => <SessionAudit session={session} isLive={isLive} /> },
          ]}
        />
      </div>
    </article>
  );
};

/** On a narrow screen the terminal is below the request. */
const showTerminal = (): void => document.querySelector('.second')?.scrollIntoView({ behavior: 'smooth' });

const Facts = ({ session, page, now }: { session: Session; page: SessionPage | null; now: number }) => {
  const { id, dir, cwd, model, version, permissionMode, pane, pid, host, origin, managed, context } = session;
  const { project, branch, worktree, tags, memoryBytes } = session;
  const facts = [
    ['project', project === titleOf(session) ? null : project],
    ['branch', branch && `${branch}${worktree ? ' (worktree)' : ''}`],
    ['tags', tags.join(', ')],
    ['in', cwd ?? dir],
    ['pane', pane && `${pane.session ?? ''}:${pane.windowIndex ?? ''} ${pane.id}`],
    ['process', !pane && pid !== null ? String(pid) : null],
    ['host', host],
    ['origin', origin],
    ['model', model],
    ['mode', modeText(permissionMode)],
    ['effort', session.effort],
    ['running', session.tasks.length && session.state !== 'ended' ? tasksText(session.tasks) : null],
    ['scheduled', session.crons.map(({ schedule, prompt }) => `${schedule} ${prompt}`).join('; ')],
    ['Claude Code', version],
    ['memory', memoryBytes === null ? null : memoryText(memoryBytes)],
    ['changes', changesLabel(session)],
    ['started', `${ago(session.started, now)} ago${managed ? ', by Drover' : ''}`],
    ['id', shortId(id)],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]));
  return (
    <div className="facts">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={name === 'id' ? id : undefined}>{clean(value)}</dd>
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
