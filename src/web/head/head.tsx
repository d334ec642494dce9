/** The bar on top: places, counts and the connection. */
import { useState } from 'react';
import type { FleetSummary } from '../../contract/fleet.ts';
import type { Session } from '../../contract/session.ts';
import type { Row } from '../../client/board.ts';
import { signOut as endSession } from '../daemon/sign-in.ts';
import { places } from '../state/places.ts';
import type { PageStore, Shown } from '../state/store.ts';
import type { Notifier } from './notifier.ts';
import { Quotas } from './quotas.tsx';
import { fleetLabel, isFleetTrouble } from '../../client/fleet-text.ts';
import { untestedLabel, untestedText, untestedVersions } from '../../client/untested-text.ts';
import { ago } from '../../client/text.ts';
import './head.css';

interface Props {
  shown: Shown;
  rows: Row[];
  notifier: Notifier;
  store: PageStore;
}

export const Head = ({ shown, rows, notifier, store }: Props) => {
  const { place, board } = shown;
  const count = (...states: string[]) => rows.filter(({ session }) => states.includes(session.state)).length;
  const waiting = rows.filter(({ group }) => group === 'waiting').length;
  return (
    <header className="head">
      <a className="brand" href="#/" aria-label="Drover, all sessions">
        <Mark />
        <span>Drover</span>
      </a>
      <nav className="places" aria-label="Places">
        <PlaceLink href="#/" here={place === 'sessions'} text="Sessions" badge={waiting} />
        {places.map(({ id, name }) => (
          <PlaceLink key={id} href={`#/${id}`} here={place === id} text={name} />
        ))}
      </nav>
      <p className="counts">
        <span>{count('working')} working</span>
        <span>{count('background')} background</span>
        <span>{count('ready')} new</span>
      </p>
      {board.fleet && <FleetState fleet={board.fleet} now={shown.now} />}
      <Untested sessions={board.sessions.values()} />
      <Quotas sessions={board.sessions.values()} now={shown.now} />
      <LinkState shown={shown} />
      <Notify notifier={notifier} />
      <button
        type="button"
        className="quiet"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => store.setBoard({ help: !board.help })}
      >
        ?
      </button>
      <button type="button" className="quiet out" onClick={() => store.set({ form: { kind: 'devices' } })}>
        Devices
      </button>
      <button type="button" className="quiet out" onClick={() => signOut(store)}>
        Sign out
      </button>
    </header>
  );
};

/** Signs out even if the daemon does not answer: the key of this tab is deleted first. */
export const signOut = (store: PageStore): void => {
  void endSession().finally(() => store.set({ out: true }));
};

const PlaceLink = ({
  href,
  here,
  text,
  badge = 0,
}: {
  href: string;
  here: boolean;
  text: string;
  badge?: number;
}) => (
  <a href={href} aria-current={here ? 'page' : undefined}>
    {text}
    {badge > 0 && (
      <span className="badge">
        {badge}
        <span className="unseen"> waiting</span>
      </span>
    )}
  </a>
);

/** Says that a session runs a version of Claude Code that nobody has tested with Drover. */
const Untested = ({ sessions }: { sessions: Iterable<Session> }) => {
  const versions = untestedVersions(sessions);
  if (versions.length === 0) return null;
  return (
    <p className="fleet" title={untestedText(versions)}>
      {untestedLabel(versions)}
    </p>
  );
};

const FleetState = ({ fleet, now }: { fleet: FleetSummary; now: number }) => (
  <p
    className={`fleet${isFleetTrouble(fleet) ? ' trouble' : ''}`}
    title={fleet.hosts.map(host => hostText(host, now)).join('\n')}
  >
    {fleetLabel(fleet)}
  </p>
);

const hostText = ({ name, isAway, seenAt }: FleetSummary['hosts'][number], now: number): string => {
  if (!isAway) return name;
  return `${name}: away${seenAt === null ? '' : ` ${ago(seenAt, now)}`}`;
};

const LinkState = ({ shown: { board, downSince, now } }: { shown: Shown }) => {
  const text =
    board.link === 'live'
      ? 'live'
      : board.link === 'starting'
        ? 'connecting'
        : !navigator.onLine
          ? 'offline'
          : `daemon down, ${ago(downSince ?? now, now)}`;
  return (
    <p className={`link ${board.link}`} role="status">
      <span className="dot" aria-hidden="true" />
      {text}
    </p>
  );
};

const Notify = ({ notifier }: { notifier: Notifier }) => {
  const [on, setOn] = useState(notifier.on);
  return (
    <button
      type="button"
      className="quiet bell"
      aria-pressed={on}
      title={on ? 'Notifications of new waiting sessions are on' : 'Notify me of new waiting sessions'}
      onClick={() => void notifier.setOn(!on).then(setOn)}
    >
      <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
        <path d="M10 2.5a5 5 0 0 0-5 5v3.2l-1.3 2.4c-.2.4 0 .9.5.9h11.6c.5 0 .7-.5.5-.9L15 10.7V7.5a5 5 0 0 0-5-5zM8 15.5a2 2 0 0 0 4 0" />
        {!on && <path d="M3 3l14 14" />}
      </svg>
      <span className="unseen">Notifications</span>
    </button>
  );
};

const Mark = () => (
  <svg viewBox="0 0 64 64" width="22" height="22" aria-hidden="true">
    <rect x="2" y="6" width="60" height="54" rx="13" fill="currentColor" />
    <path d="M15 26l11 10-11 10" className="prompt" />
    <path d="M33 47h16" className="cursor" />
  </svg>
);
