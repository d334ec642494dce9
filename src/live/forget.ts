/** Forgetting on request: from the log and from everything derived from it, overwritten on disk. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Forget, Forgotten } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import type { Store } from '../store/store.ts';
import type { Roll } from './roll.ts';

/** Clears one session, all whose last event is older than `before`, or everything. */
export const forget = (store: Store, roll: Roll, asideDir: string, wish: Forget): Forgotten => {
  const gone = roll.all().filter(session => isMeant(session, wish));
  const events = store.erase(() => {
    let count = 0;
    for (const session of gone) {
      count += store.log.removeOf(session.id).events;
      store.sessions.remove(session.id);
    }
    if (wish.all) count += store.log.removeOwnerless().events;
    return count;
  });
  for (const session of gone) roll.remove(session.id);
  if (wish.all)
    for (const name of readdirSync(asideDir)) rmSync(join(asideDir, name), { force: true, recursive: true });
  return { sessions: gone.length, events };
};

const isMeant = (session: Session, wish: Forget): boolean =>
  wish.all === true || session.id === wish.id || (wish.before !== undefined && session.touched < wish.before);
