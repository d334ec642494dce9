/** The confirmation of an answer by key, with the complete request. It closes when the request changes. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type AnswerEntry, type Board, confirmTitle, withRequests, nameOf } from '../../client/board.ts';
import { clean } from '../../client/text.ts';
import { call } from '../daemon/call.ts';
import { Dialog, SubmitButtons } from '../shared/dialogs.tsx';
import { RequestInput } from './request-input.tsx';
import type { PageStore } from '../state/store.ts';
import './confirm-answer.css';

interface Props {
  board: Board;
  entry: AnswerEntry;
  store: PageStore;
  onDone: () => void;
  onCancel: () => void;
}

export const ConfirmAnswer = ({ board, entry, store, onDone, onCancel }: Props) => {
  const region = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const full = board.loaded.get(entry.request) ?? null;
  useLoading(store, entry, full !== null);
  useReading(store, region, end, full !== null);
  const session = board.sessions.get(entry.id);
  const request = session?.requests.find(({ id }) => id === entry.request);
  if (!session || !request) return null;
  const isAllow = entry.kind === 'allow';
  const canAllow = entry.isRead && full !== null && full.input !== null;
  return (
    <Dialog title={confirmTitle(board, entry)} onClose={onCancel} isConfirmation isWide>
      <form
        onSubmit={event => {
          event.preventDefault();
          onDone();
        }}
        onKeyDown={event => onKey(event, region.current, isAllow, onDone)}
      >
        <p className="aim">
          {nameOf(session)}
          {request.agent && `, subagent ${clean(request.agent)}`}, request {request.id}
        </p>
        <div
          className="complete"
          ref={region}
          tabIndex={0}
          role="region"
          aria-label="Complete request"
          autoFocus={isAllow}
        >
          <RequestInput request={request} full={full} detail={session.detail} isForm={false} />
          <div ref={end} />
        </div>
        {isAllow ? (
          !canAllow && <p className="aim">{whyNot(full !== null && full.input === null)}</p>
        ) : (
          <input
            autoFocus
            aria-label="Message to the model"
            placeholder="Message to the model (optional)"
            value={entry.text}
            onChange={event => store.setBoard({ entry: { ...entry, text: event.target.value } })}
          />
        )}
        <SubmitButtons
          label={isAllow ? 'Allow' : 'Deny'}
          isDanger={!isAllow}
          isDisabled={isAllow && !canAllow}
          onCancel={onCancel}
        />
      </form>
    </Dialog>
  );
};

const whyNot = (isForgotten: boolean): string =>
  isForgotten
    ? 'The log no longer has its input. Answer it in the terminal.'
    : 'Scroll to the end of the request to allow it.';

/** Enter confirms, except on a button; the letters of the board scroll. */
const onKey = (
  event: KeyboardEvent,
  region: HTMLElement | null,
  isAllow: boolean,
  onDone: () => void,
): void => {
  if (event.defaultPrevented || event.target !== region || !isAllow) return;
  const step = { j: 60, J: 60, k: -60, K: -60 }[event.key];
  if (step !== undefined) region.scrollBy(0, step);
  if (event.key !== 'Enter') return;
  // Consumed here, so that the page behind the dialog does not handle it too.
  event.preventDefault();
  onDone();
};

/** Loads the complete request. */
const useLoading = (store: PageStore, { id, request }: AnswerEntry, isLoaded: boolean): void => {
  useEffect(() => {
    if (isLoaded) return undefined;
    const abort = new AbortController();
    call('readSession', { id, signal: abort.signal })
      .then(({ requests }) => store.set({ board: withRequests(store.get().board, requests, Date.now()) }))
      .catch(() => {});
    return () => abort.abort();
  }, [store, id, request, isLoaded]);
};

/** Notes when the end of the complete request has been visible. */
const useReading = (
  store: PageStore,
  region: { current: HTMLElement | null },
  end: { current: HTMLElement | null },
  isLoaded: boolean,
): void => {
  useEffect(() => {
    if (!isLoaded || !end.current) return undefined;
    const observer = new IntersectionObserver(
      found => {
        const { entry } = store.get().board;
        if (entry?.kind === 'allow' && found.some(({ isIntersecting }) => isIntersecting))
          store.setBoard({ entry: { ...entry, isRead: true } });
      },
      { root: region.current, rootMargin: '0px 0px 4px 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [store, region, end, isLoaded]);
};
