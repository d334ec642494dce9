/**
 * Loads a chunk of the page. A daemon that was updated no longer has the chunks of an open page: then the page reloads,
 * once, and says so.
 */
import { routePaths } from '../../client/routes.generated.ts';

const reloadedAt = 'drover-reloaded';
/** A page that reloaded less than this long ago does not do it again, ms. */
const pause = 60_000;
/** For how long after a reload the page says why, ms. */
const noticeTime = 10_000;

export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch {
    if (!(await isOutdated())) throw new Error('This part of the page could not be loaded.');
    if (timeSinceReload() < pause) throw new Error('Drover was updated. Reload the page.');
    sessionStorage.setItem(reloadedAt, String(Date.now()));
    location.reload();
    // Nothing is shown any more until the page is new.
    return new Promise<T>(() => {});
  }
};

/** Why the page has reloaded itself; null if it has not. */
export const reloadNotice = (): string | null =>
  timeSinceReload() < noticeTime ? 'Drover was updated. The page has reloaded.' : null;

const timeSinceReload = (): number => Date.now() - Number(sessionStorage.getItem(reloadedAt) ?? 0);

/** Whether the daemon serves another build than the one that runs: its script then names another first chunk. */
const isOutdated = async (): Promise<boolean> => {
  const own = import.meta.url.split('/').at(-1) ?? '';
  try {
    const response = await fetch(routePaths.pageScript[1], { cache: 'no-cache' });
    return response.ok && !(await response.text()).includes(own);
  } catch {
    return false;
  }
};
