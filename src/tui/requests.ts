/** Reads for the board: one at a time of each kind. */
import { call } from '../client/call.ts';
import type { RequestPage } from '../contract/answer.ts';
import type { SessionPage } from '../contract/api.ts';
import type { Paths } from '../paths.ts';

export const sessionPage = (paths: Paths, id: string): Promise<SessionPage> =>
  call(paths, 'readSession', { id });

/** Loads what is wanted now, one at a time. A failure is retried by the next call. */
export class Loader<Wanted, Loaded> {
  private isBusy = false;

  constructor(
    /** What is needed; null: nothing. */
    private readonly wanted: () => Wanted | null,
    private readonly read: (wanted: Wanted) => Promise<Loaded>,
    private readonly onLoaded: (loaded: Loaded) => void,
  ) {}

  async load(): Promise<void> {
    const wanted = this.wanted();
    if (wanted === null || this.isBusy) return;
    this.isBusy = true;
    try {
      this.onLoaded(await this.read(wanted));
    } catch {
      return; // The daemon is down, which the link reports; or the session is gone, and its entry closes.
    } finally {
      this.isBusy = false;
    }
    const next = this.wanted();
    if (next !== null && JSON.stringify(next) !== JSON.stringify(wanted)) void this.load();
  }
}

export const requestPage = (
  paths: Paths,
  { id, request }: { id: string; request: number },
): Promise<RequestPage> => call(paths, 'readRequest', { id, request });
