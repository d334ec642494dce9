/** Loads the complete requests of the session that the board shows or confirms, one session at a time. */
import { call } from '../client/call.ts';
import type { SessionPage } from '../contract/api.ts';
import type { Paths } from '../paths.ts';

export const sessionPage = (paths: Paths, id: string): Promise<SessionPage> =>
  call(paths, 'readSession', { id });

export class RequestLoader {
  private isBusy = false;

  constructor(
    private readonly paths: Paths,
    /** The session whose requests are needed; null: none. */
    private readonly wanted: () => string | null,
    private readonly onLoaded: (requests: SessionPage['requests']) => void,
  ) {}

  /** Loads what is needed now. A failure is retried by the next call. */
  async load(): Promise<void> {
    const id = this.wanted();
    if (id === null || this.isBusy) return;
    this.isBusy = true;
    try {
      this.onLoaded((await sessionPage(this.paths, id)).requests);
    } catch {
      return; // The daemon is down, which the link reports; or the session is gone, and its entry closes.
    } finally {
      this.isBusy = false;
    }
    const next = this.wanted();
    if (next !== null && next !== id) void this.load();
  }
}
