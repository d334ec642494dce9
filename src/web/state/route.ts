/** Reads the place from the `#` of the address, so that back, forward and bookmarks work. */
import { useEffect } from 'react';
import { call } from '../daemon/call.ts';
import { places } from './places.ts';
import type { PageStore, Shown } from './store.ts';

export const useRoute = (store: PageStore, { board, opened }: Shown): void => {
  useEffect(() => {
    const read = (): void => {
      const [, first = '', id = ''] = location.hash.split('/');
      const place = places.find(({ id: name }) => name === first)?.id ?? 'sessions';
      const isOpened = first === 's' && id !== '';
      store.set({ place, opened: isOpened ? id : null });
      if (isOpened) store.setBoard({ selected: id });
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [store]);
  useUnlisted(store, board.link === 'live' && opened !== null && !board.sessions.has(opened) ? opened : null);
};

/** Loads a session that the list does not have, such as one that ended long ago. */
const useUnlisted = (store: PageStore, id: string | null): void => {
  useEffect(() => {
    if (id === null) return undefined;
    const abort = new AbortController();
    call('readSession', { id, signal: abort.signal })
      .then(session => store.change([session]))
      .catch(() => {});
    return () => abort.abort();
  }, [store, id]);
};
