/** The page: head, list, and whatever is looked at. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Board, endedShown, isAnswerEntry, rowsOf } from '../client/board.ts';
import { useActions } from './state/actions.ts';
import { Audit } from './history/audit.tsx';
import { call } from './daemon/call.ts';
import { ConfirmAnswer } from './requests/confirm-answer.tsx';
import { Day } from './history/day.tsx';
import { ErrorBoundary } from './shared/error-boundary.tsx';
import { Gone } from './head/signed-out.tsx';
import { Head, signOut } from './head/head.tsx';
import { Ask, Help, Which } from './shared/dialogs.tsx';
import { useKeys } from './state/keys.ts';
import { List } from './list/list.tsx';
import { SessionView } from './session/session.tsx';
import { useRoute } from './state/route.ts';
import type { PageStore } from './state/store.ts';
import type { Teller } from './head/notifier.ts';
import { Waits } from './history/waits.tsx';
import { goTo, type Outcome } from './state/execute.ts';
import './app.css';

export const App = ({ store, teller }: { store: PageStore; teller: Teller }) => {
  const shown = useSyncExternalStore(store.subscribe, store.get);
  const { board, now, place, opened, out } = shown;
  const rows = useMemo(() => rowsOf(board, now), [board, now]);
  const [which, setWhich] = useState<Extract<Outcome, { kind: 'which' }> | null>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const actions = useActions(store, setWhich);

  useRoute(store, shown);
  useKeys(store, actions, filterField);

  if (out) return <Gone />;
  const selected = board.selected === null ? undefined : board.sessions.get(board.selected);
  const row = rows.find(({ session }) => session.id === selected?.id);
  return (
    <div className={`page at-${place}${opened === null ? '' : ' opened'}`}>
      <Head shown={shown} rows={rows} teller={teller} store={store} />
      <main className="main">
        {place === 'sessions' ? (
          <>
            <List
              shown={shown}
              rows={rows}
              filterField={filterField}
              onFilter={filter => store.filter(filter)}
              onEnded={ended => (ended ? void showEnded(store) : store.hideEnded())}
              actions={actions}
            />
            {selected ? (
              <ErrorBoundary key={selected.id}>
                <SessionView session={selected} row={row} now={now} link={board.link} actions={actions} />
              </ErrorBoundary>
            ) : (
              <Nothing board={board} />
            )}
          </>
        ) : place === 'day' ? (
          <ErrorBoundary key="day">
            <Day shown={shown} />
          </ErrorBoundary>
        ) : place === 'waits' ? (
          <ErrorBoundary key="waits">
            <Waits shown={shown} />
          </ErrorBoundary>
        ) : (
          <ErrorBoundary key="audit">
            <Audit shown={shown} />
          </ErrorBoundary>
        )}
      </main>
      <Notice notice={board.notice} store={store} />
      {board.help && <Help onClose={() => actions.press('escape')} onLeave={() => signOut(store)} />}
      {board.entry?.kind === 'snooze' && (
        <Ask
          entry={board.entry}
          onText={text => store.setBoard({ entry: board.entry && { ...board.entry, text } })}
          onDone={() => actions.press('enter')}
          onCancel={() => actions.press('escape')}
        />
      )}
      {isAnswerEntry(board.entry) && (
        <ConfirmAnswer
          key={`${board.entry.kind} ${board.entry.request}`}
          board={board}
          entry={board.entry}
          store={store}
          onDone={() => actions.press('enter')}
          onCancel={() => actions.press('escape')}
        />
      )}
      {which && (
        <Which
          clients={which.clients}
          now={now}
          onClose={() => setWhich(null)}
          onChoose={client => {
            setWhich(null);
            void actions.tryOut(async () => outcomeText(await goTo(which.id, client)));
          }}
        />
      )}
    </div>
  );
};

/** Ended sessions come when they are asked for. */
const showEnded = async (store: PageStore): Promise<void> => {
  store.set({ ended: true });
  const { sessions } = await call('listSessions', { query: { state: 'ended', limit: endedShown } });
  store.changed(sessions);
};

const outcomeText = (outcome: Outcome): string | null => (outcome.kind === 'notice' ? outcome.text : null);

const Nothing = ({ board }: { board: Board }) => (
  <section className="view nothing" aria-label="No session">
    {board.link === 'live' ? (
      <p>
        <strong>No session is known.</strong> Start <code>claude</code> in a tmux pane, or{' '}
        <code>drover new</code>.
      </p>
    ) : (
      <p>{board.link === 'starting' ? 'Connecting …' : 'The daemon does not answer.'}</p>
    )}
  </section>
);

/** What became of the last wish, for as long as it takes to read it. */
const Notice = ({ notice, store }: { notice: string | null; store: PageStore }) => {
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = setTimeout(() => store.setBoard({ notice: null }), 6_000);
    return () => clearTimeout(timer);
  }, [notice, store]);
  return (
    <div className="notice" role="status" aria-live="polite">
      {notice && <span>{notice}</span>}
    </div>
  );
};
