/** Updates the title and icon of the tab, and shows a notification for each new waiting session where the user wants that. */
import { rowsOf, titleOf, stateText } from '../../client/board.ts';
import { summaryLine } from '../../client/request-text.ts';
import { routePaths } from '../../client/routes.generated.ts';
import type { Session } from '../../contract/session.ts';
import type { PageStore, Shown } from '../state/store.ts';

const storageKey = 'drover-notify';

export class Notifier {
  private count = -1;
  /** The sessions that waited before, and since when. Null at first: those are not notified about. */
  private known: Map<string, number> | null = null;

  constructor(private readonly store: PageStore) {
    store.subscribe(() => this.update(store.get()));
  }

  /** Off until the user turns it on and the browser permits it. */
  get on(): boolean {
    return (
      'Notification' in window &&
      Notification.permission === 'granted' &&
      localStorage.getItem(storageKey) === '1'
    );
  }

  async setOn(on: boolean): Promise<boolean> {
    if (on && 'Notification' in window) await Notification.requestPermission();
    localStorage.setItem(storageKey, on ? '1' : '0');
    return this.on;
  }

  private update(shown: Shown): void {
    const { board, now } = shown;
    const waiting = rowsOf({ ...board, filter: '' }, now).filter(({ group }) => group === 'waiting');
    if (board.link === 'live')
      this.notify(
        // Each host sends notifications of its own sessions.
        waiting.flatMap(({ session }) => (session.fleet ? [] : session)),
        shown,
      );
    this.mark(board.link === 'live' ? waiting.length : -1, shown);
  }

  private mark(count: number, { out }: Shown): void {
    const title = out
      ? 'Signed out – Drover'
      : count < 0
        ? '… Drover'
        : count
          ? `(${count}) Drover`
          : 'Drover';
    if (document.title !== title) document.title = title;
    if (count < 0 || count === this.count) return;
    this.count = count;
    const icon = document.getElementById('icon') as HTMLLinkElement;
    icon.href = count ? `${routePaths.pageIcon[1]}?count=${count}` : routePaths.pageIcon[1];
  }

  private notify(waiting: Session[], { board, place }: Shown): void {
    const before = this.known;
    this.known = new Map(waiting.map(({ id, since }) => [id, since]));
    if (!before || !this.on) return;
    const seen = document.visibilityState === 'visible';
    for (const session of waiting) {
      const { id, since } = session;
      const onScreen = seen && (document.hasFocus() || (place === 'sessions' && board.selected === id));
      if (before.get(id) === since || onScreen) continue;
      const notice = new Notification(`${titleOf(session)}: ${stateText(session, Date.now())}`, {
        tag: id,
        ...(session.detail && { body: summaryLine(session) }),
      });
      notice.addEventListener('click', () => {
        window.focus();
        location.hash = `#/s/${id}`;
        notice.close();
      });
    }
  }
}
