/** What the tab says without being looked at: its title, its icon, and a notification where the person wants one. */
import { rowsOf } from '../../client/board.ts';
import { summaryLine } from '../../client/request-text.ts';
import type { Session } from '../../contract/session.ts';
import type { PageStore, Shown } from '../state/store.ts';
import { nameOf, why } from '../shared/labels.ts';

const wanted = 'drover-notify';

export class Teller {
  private count = -1;
  /** Who waited before, and since when; null until the first news, of which nobody is told. */
  private known: Map<string, number> | null = null;

  constructor(private readonly store: PageStore) {
    store.subscribe(() => this.look(store.get()));
  }

  /** Off until a person turns it on, and only where the browser lets us. */
  get on(): boolean {
    return (
      'Notification' in window &&
      Notification.permission === 'granted' &&
      localStorage.getItem(wanted) === '1'
    );
  }

  async turn(on: boolean): Promise<boolean> {
    if (on && 'Notification' in window) await Notification.requestPermission();
    localStorage.setItem(wanted, on ? '1' : '0');
    return this.on;
  }

  private look(shown: Shown): void {
    const { board, now } = shown;
    const waiting = rowsOf({ ...board, filter: '' }, now).filter(({ group }) => group === 'waiting');
    if (board.link === 'live')
      this.tell(
        waiting.map(({ session }) => session),
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
    icon.href = count ? `/page/icon.svg?count=${count}` : '/page/icon.svg';
  }

  private tell(waiting: Session[], { board, place }: Shown): void {
    const before = this.known;
    this.known = new Map(waiting.map(({ id, since }) => [id, since]));
    if (!before || !this.on) return;
    const seen = document.visibilityState === 'visible';
    for (const session of waiting) {
      const { id, since } = session;
      const onScreen = seen && (document.hasFocus() || (place === 'sessions' && board.selected === id));
      if (before.get(id) === since || onScreen) continue;
      const notice = new Notification(`${nameOf(session)}: ${why(session)}`, {
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
