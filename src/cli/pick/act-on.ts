/** The session that a verb of the queue is about: the one that was named, else the head of the queue. */
import { call as ask } from '../../client/call.ts';
import type { QueueItem } from '../../contract/queue.ts';
import { ago } from '../output/say.ts';
import { type Call, flag } from '../verb.ts';

/** Does something to a session of the queue and says what; exit code 1 when nobody was named and nobody waits. */
export const actOn = async (
  call: Call,
  named: string | undefined,
  act: (id: string) => Promise<QueueItem>,
  done: (item: QueueItem) => string,
): Promise<number> => {
  const id = named ?? (await head(call));
  if (id === null) return 1;
  const item = await act(id);
  if (flag(call, 'json')) call.out(JSON.stringify(item));
  else call.out(done(item));
  return 0;
};

/** `6c57b6f4 shop`, for a human's eye. */
export const nameOf = ({ session }: QueueItem): string =>
  `${session.id.slice(0, 8)} ${session.project ?? ''}`.trimEnd();

const head = async (call: Call): Promise<string | null> => {
  const { items } = await ask(call.paths, 'readQueue');
  const first = items.find(({ held }) => held === null);
  if (first) return first.session.id;
  if (flag(call, 'json')) call.out(JSON.stringify({ next: null, waiting: items.length }));
  else call.err(items.length ? heldText(items) : 'nobody waits');
  return null;
};

const heldText = (items: QueueItem[]): string =>
  `nobody else waits; passed over: ${items
    .map(
      item =>
        `${nameOf(item)} (${item.held}${item.until === null ? '' : `, ${ago(Date.now(), item.until)}`})`,
    )
    .join(', ')}`;
