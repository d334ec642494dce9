/** Runs skip, snooze and dismiss on the named session or on the first one in the queue. */
import { call as ask } from '../../client/call.ts';
import type { QueueItem } from '../../contract/queue.ts';
import { ago } from '../output/format.ts';
import { type Call, flag } from '../verb.ts';
import { sessionNamed } from './session-arg.ts';
import { shortId } from '../../contract/short-id.ts';

/** Defers a session and reports it. Returns 1 if none was named and none is waiting. */
export const deferSession = async (
  call: Call,
  named: string | undefined,
  act: (id: string) => Promise<QueueItem>,
  done: (item: QueueItem) => string,
): Promise<number> => {
  const id = named === undefined ? await head(call) : await sessionNamed(call, named);
  if (id === null) return 1;
  const item = await act(id);
  if (flag(call, 'json')) call.out(JSON.stringify(item));
  else call.out(done(item));
  return 0;
};

/** Formats a session as `6c57b6f4 Payments`. */
export const nameOf = ({ session }: QueueItem): string =>
  `${shortId(session.id)} ${session.title ?? ''}`.trimEnd();

const head = async (call: Call): Promise<string | null> => {
  const { items } = await ask(call.paths, 'readQueue');
  const first = items.find(({ deferred }) => deferred === null);
  if (first) return first.session.id;
  if (flag(call, 'json')) call.out(JSON.stringify({ next: null, waiting: items.length }));
  else call.err(items.length ? deferredText(items) : 'No session is waiting.');
  return null;
};

const deferredText = (items: QueueItem[]): string =>
  `No other session is waiting. Deferred: ${items
    .map(
      item =>
        `${nameOf(item)} (${item.deferred}${item.until === null ? '' : `, ${ago(Date.now(), item.until)}`})`,
    )
    .join(', ')}`;
