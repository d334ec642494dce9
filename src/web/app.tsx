/** The page: head, list and the open view. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Board, endedShown, isAnswerEntry, rowsOf } from '../client/board.ts';
import { useActions } from './state/actions.ts';
import { Audit } from './history/audit.tsx';
import { call } from './daemon/call.ts';
import { ConfirmAnswer } from './requests/confirm-answer.tsx';
import { Day } from './history/day.tsx';
import { ErrorBoundary } from './shared/error-boundary.tsx';
import { SignedOut } from './head/signed-out.tsx';
import { Head, signOut } from './head/head.tsx';
import { ClientDialog, Help, SnoozeDialog } from './shared/dialogs.tsx';
import { useKeys } from './state/keys.ts';
import { List } from './list/list.tsx';
import { SessionView } from './session/session.tsx';
import { useRoute } from './state/route.ts';
import type { PageStore } from './state/store.ts';
import type { Notifier } from './head/notifier.ts';
import { Waits } from './history/waits.tsx';
import { goTo, type Outcome } from './state/execute.ts';
import './app.css';

export const App = ({ store, notifier }: { store: PageStore; notifier: Notifier }) => {
  const shown = useSyncExternalStore(store.subscribe, store.get);
  const { board, now, place, opened, out } = shown;
  const rows = useMemo(() => rowsOf(board, now), [board, now]);
  const [choice, setChoice] = useState<Extract<Outcome, { kind: 'choose-client' }> | null>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const actions = useActions(store, setChoice);

  useRoute(store, shown);
  useKeys(store, actions, filterField);

  if (out) return <SignedOut />;
  const selected = board.selected === null ? undefined : board.sessions.get(board.selected);
  return (
    <div className={`page at-${place}${opened === null ? '' : ' opened'}`}>
      <Head shown={shown} rows={rows} notifier={notifier} store={store} />
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
                <SessionView session={selected} now={now} link={board.link} actions={actions} />
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
      {board.help && <Help onClose={() => actions.press('escape')} onSignOut={() => signOut(store)} />}
      {board.entry?.kind === 'snooze' && (
        <SnoozeDialog
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
      {choice && (
        <ClientDialog
          clients={choice.clients}
          now={now}
          onClose={() => setChoice(null)}
          onChoose={client => {
            setChoice(null);
            void actions.attempt(async () => outcomeText(await goTo(choice.id, client)));
          }}
        />
      )}
    </div>
  );
};

/** Loads ended sessions when they are shown. */
const showEnded = async (store: PageStore): Promise<void> => {
  store.set({ ended: true });
  const { sessions } = await call('listSessions', { query: { state: 'ended', limit: endedShown } });
  store.change(sessions);
};

const outcomeText = (outcome: Outcome): string | null => (outcome.kind === 'notice' ? outcome.text : null);

const Nothing = ({ board }: { board: Board }) => (
  <section className="view nothing" aria-label="No session">
    {board.link === 'live' ? (
      <p>
        <strong>No sessions.</strong> Start <code>claude</code> in a tmux pane, or run <code>drover new</code>
        .
      </p>
    ) : (
      <p>{board.link === 'starting' ? 'Connecting …' : 'The daemon does not answer.'}</p>
    )}
  </section>
);

/** Shows the result of the last command for a few seconds. */
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
