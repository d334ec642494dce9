/** Where the page is. */
import { useCallback, useEffect } from 'react';
import type { PageStore, Place } from './store.ts';

/** What stands behind the `#` is where the page is: back and forward work, and so does a bookmark. */
export const useRoute = (store: PageStore): void => {
  const read = useCallback(() => {
    const [, first = '', id = ''] = location.hash.split('/');
    const place: Place = first === 'day' ? 'day' : first === 'waits' ? 'waits' : 'sessions';
    store.set({ place, opened: first === 's' });
    if (first === 's' && id) store.setBoard({ selected: id });
  }, [store]);
  useEffect(() => {
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, [read]);
};
