/**
 * The key of this browser. It is in IndexedDB and cannot be read, only used. A mark says who is signed in: it ends with the tab, but
 * a paired device keeps it.
 */
import { key as usable, type Mac } from './mac.ts';

export interface BrowserKey {
  /** The name by which the daemon knows it. */
  id: string;
  key: Mac;
}

const mark = 'drover-page';
let held: BrowserKey | null = null;

/** Whether this tab was signed in before. */
export const isMarked = (): boolean =>
  sessionStorage.getItem(mark) !== null || localStorage.getItem(mark) !== null;

/** The key; null when this browser is not signed in. */
export const browserKey = async (): Promise<BrowserKey | null> =>
  (held ??= await inStore<BrowserKey | undefined>('readonly', store => store.get(mark)).then(
    found => found ?? null,
    () => null,
  ));

export const keepKey = async (
  id: string,
  secret: Uint8Array<ArrayBuffer>,
  isDevice: boolean,
): Promise<void> => {
  held = { id, key: await usable(secret) };
  secret.fill(0);
  // Where nothing can be stored, as in some private windows, the tab is signed in until it is reloaded.
  await inStore('readwrite', store => store.put(held, mark)).catch(() => {});
  (isDevice ? localStorage : sessionStorage).setItem(mark, 'signed in');
};

export const forgetKey = async (): Promise<void> => {
  held = null;
  sessionStorage.removeItem(mark);
  localStorage.removeItem(mark);
  await inStore('readwrite', store => store.delete(mark)).catch(() => {});
};

const inStore = <T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest): Promise<T> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('drover', 1);
    opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('keys'));
    opening.addEventListener('error', () => reject(opening.error ?? new Error('IndexedDB')));
    opening.addEventListener('success', () => {
      const database = opening.result;
      const asked = use(database.transaction('keys', mode).objectStore('keys'));
      asked.addEventListener('success', () => resolve(asked.result as T));
      asked.addEventListener('error', () => reject(asked.error ?? new Error('IndexedDB')));
      database.close();
    });
  });
