/** The events of a session, live. */
import { useEffect, useRef, useState } from 'react';
import { pathOf } from '../../client/route-call.ts';
import type { EventView } from '../../contract/event.ts';
import type { Session } from '../../contract/session.ts';
import { call } from '../daemon/call.ts';
import { clockTime } from '../shared/clock.ts';
import { frames } from '../daemon/stream.ts';
import './events.css';

const firstPage = 100;
const keptAtMost = 500;
/** Events of a burst are read together. */
const pause = 120;

export const Events = ({ session, isLive }: { session: Session; isLive: boolean }) => {
  const events = useEvents(session, isLive);
  const [open, setOpen] = useState<number | null>(null);
  if (events.length === 0) return <p className="calm">No events.</p>;
  return (
    <ol className="events" aria-label="Events, newest first">
      {events.toReversed().map(event => (
        <li key={event.seq}>
          <button
            type="button"
            aria-expanded={open === event.seq}
            onClick={() => setOpen(open === event.seq ? null : event.seq)}
          >
            <span className="number">{event.seq}</span>
            <time>{clockTime(event.at)}</time>
            <span className={`source ${event.source}`}>{event.source}</span>
            <strong>{event.name}</strong>
            <span className="line">{lineOf(event)}</span>
          </button>
          {open === event.seq && (
            <pre tabIndex={0}>{JSON.stringify(event.payload ?? event.base64, null, 2)}</pre>
          )}
        </li>
      ))}
    </ol>
  );
};

/** The most telling field of a payload. */
const lineOf = ({ payload }: EventView): string => {
  if (typeof payload !== 'object' || payload === null) return '';
  const fields = payload as Record<string, unknown>;
  for (const name of [
    'prompt',
    'tool_name',
    'message',
    'last_assistant_message',
    'status',
    'reason',
    'source',
  ])
    if (typeof fields[name] === 'string') return fields[name].slice(0, 200);
  return '';
};

/** Reads the newest events, then more whenever the stream signals a change. */
const useEvents = ({ id, seq, state, fleet }: Session, isLive: boolean): EventView[] => {
  const [events, setEvents] = useState<EventView[]>([]);
  const isRemote = fleet !== undefined;
  const cursor = useRef<number | null>(null);
  const refresh = useRef(() => {});
  useEffect(() => {
    if (!isLive) return undefined;
    const abort = new AbortController();
    let busy = false;
    let again = false;
    const read = async (): Promise<void> => {
      again = busy;
      if (busy) return;
      busy = true;
      try {
        const from = cursor.current === null ? { last: firstPage } : { after: cursor.current };
        const page = await call('readLog', { query: { session: id, ...from }, signal: abort.signal });
        cursor.current = page.next ?? cursor.current ?? page.after;
        if (page.events.length) setEvents(before => [...before, ...page.events].slice(-keptAtMost));
      } catch {
        /* the link reports that the daemon is down */
      }
      await new Promise(resolve => setTimeout(resolve, pause));
      busy = false;
      if (again && !abort.signal.aborted) void read();
    };
    refresh.current = () => void read();
    refresh.current();
    // The stream of a session is on its own host; its changes come with its row.
    if (state !== 'ended' && !isRemote) void watch(id, abort.signal, () => refresh.current());
    return () => abort.abort();
  }, [id, isLive, state, isRemote]);
  useEffect(() => {
    refresh.current();
  }, [seq]);
  return events;
};

const watch = async (id: string, signal: AbortSignal, onEvent: () => void): Promise<void> => {
  try {
    for await (const { event } of frames(pathOf('followSession', { id }), signal)) if (event) onEvent();
  } catch {
    /* aborted, or the daemon is down: this starts again once the page has reconnected */
  }
};
