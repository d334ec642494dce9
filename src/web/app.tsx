/** The page: head, list and the open view. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Board, endedShown, rowsOf } from '../client/board.ts';
import { useActions } from './state/actions.ts';
import { call } from './daemon/call.ts';
import { OpenForm } from './forms/forms.tsx';
import { ErrorBoundary } from './shared/error-boundary.tsx';
import { SignedOut } from './head/signed-out.tsx';
import { Head, signOut } from './head/head.tsx';
import { type LazyView, lazyView } from './shared/lazy-view.tsx';
import { ClientDialog, Help, SnoozeDialog } from './shared/dialogs.tsx';
import { useKeys } from './state/keys.ts';
import { List } from './list/list.tsx';
import { SessionView } from './session/session.tsx';
import { useFirstRequest } from './state/first-request.ts';
import { useRoute } from './state/route.ts';
import type { OtherPlace } from './state/places.ts';
import type { PageStore, Shown } from './state/store.ts';
import type { Notifier } from './head/notifier.ts';
import { goTo, type Outcome } from './state/execute.ts';
import './app.css';

/** The views of the other places; each is loaded when it is first opened. */
const placeViews: Record<OtherPlace, LazyView<{ shown: Shown }>> = {
  day: lazyView(async () => (await import('./history/day.tsx')).Day),
  waits: lazyView(async () => (await import('./history/waits.tsx')).Waits),
  usage: lazyView(async () => (await import('./usage/usage.tsx')).UsageView),
  audit: lazyView(async () => (await import('./history/audit.tsx')).Audit),
};

export const App = ({ store, notifier }: { store: PageStore; notifier: Notifier }) => {
  const shown = useSyncExternalStore(store.subscribe, store.get);
  const { board, now, place, opened, out } = shown;
  const rows = useMemo(() => rowsOf(board, now), [board, now]);
  const [choice, setChoice] = useState<Extract<Outcome, { kind: 'choose-client' }> | null>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const actions = useActions(store, setChoice);

  useRoute(store, shown);
  useKeys(store, actions, filterField);

  const asking = rows.flatMap(({ session, group }) =>
    group === 'waiting' && session.requests.length > 0 ? [session.id] : [],
  );
  useFirstRequest(board.link, opened === null && place === 'sessions', asking[0]);

  if (out) return <SignedOut />;
  const PlaceView = place === 'sessions' ? null : placeViews[place];
  const selected = board.selected === null ? undefined : board.sessions.get(board.selected);
  return (
    <div className={`page at-${place}${opened === null ? '' : ' opened'}`}>
      <Head shown={shown} rows={rows} notifier={notifier} store={store} />
      <main className="main">
        {PlaceView === null ? (
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
                <SessionView
                  session={selected}
                  now={now}
                  link={board.link}
                  others={asking.filter(id => id !== selected.id)}
                  actions={actions}
                />
              </ErrorBoundary>
            ) : (
              <Nothing board={board} />
            )}
          </>
        ) : (
          <ErrorBoundary key={place}>
            <PlaceView shown={shown} />
          </ErrorBoundary>
        )}
      </main>
      <Notice notice={board.notice} store={store} />
      {board.help && (
        <Help
          onClose={() => actions.press('escape')}
          onDevices={() => {
            actions.press('escape');
            actions.openForm({ kind: 'devices' });
          }}
          onSignOut={() => signOut(store)}
        />
      )}
      {board.entry?.kind === 'snooze' && (
        <SnoozeDialog
          entry={board.entry}
          onText={text =>
            board.entry?.kind === 'snooze' && store.setBoard({ entry: { ...board.entry, text } })
          }
          onDone={() => actions.press('enter')}
          onCancel={() => actions.press('escape')}
        />
      )}
      {shown.form && <OpenForm form={shown.form} shown={shown} actions={actions} />}
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
      <p>{board.link === 'starting' ? 'Connecting …' : whyDown()}</p>
    )}
  </section>
);

const whyDown = (): string =>
  navigator.onLine
    ? 'The daemon does not answer.'
    : 'You are offline. Sessions appear when you are online again.';

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
