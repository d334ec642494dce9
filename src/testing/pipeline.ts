/** Store, loop and receive over one throw-away home, without a server: the inside of the daemon. */
import { onTestFinished } from 'vitest';
import type { Clock } from '../clock.ts';
import type { Context, Draft, Event } from '../contract/event.ts';
import { Aside } from '../hook/aside.ts';
import { installEmitter } from '../hook/emitter.ts';
import { Receive } from '../hook/receive.ts';
import { Loop } from '../live/loop.ts';
import type { Paths } from '../paths.ts';
import { Store } from '../store/store.ts';
import { tempHome } from './home.ts';

export interface Pipeline {
  paths: Paths;
  store: Store;
  loop: Loop;
  aside: Aside;
  receive: Receive;
  errors: string[];
  events: () => Event[];
  /** Resolves when the log holds so many events. */
  has: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

export const openPipeline = async (
  paths: Paths = tempHome(),
  // Without the steady half: a test that holds the time does not set the clock.
  clock: Clock = { now: () => Date.now() },
): Promise<Pipeline> => {
  const errors: string[] = [];
  const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
  const store = await Store.open(paths.db, onError);
  const loop = new Loop(store, clock, onError);
  const aside = new Aside(paths.aside);
  installEmitter(paths, process.execPath, '/nowhere/main.js');
  const receive = new Receive(paths, loop, aside, clock, onError);
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await receive.close();
    loop.close();
    store.close();
  };
  onTestFinished(close);
  const events = () => store.log.read({ after: 0, rows: 100_000 });
  return {
    paths,
    store,
    loop,
    aside,
    receive,
    errors,
    events,
    has: async count => {
      await loop.until(() => events().length >= count || undefined, { timeout: Number.POSITIVE_INFINITY });
    },
    close,
  };
};

/** A hook event as a draft. */
export const hookDraft = (
  name: string,
  fields: Record<string, unknown> = {},
  context: Context = {},
  at = Date.now(),
): Draft => {
  const payload = { session_id: 'aaaaaaaa-0000-4000-8000-000000000001', hook_event_name: name, ...fields };
  return {
    at,
    source: 'hook',
    name,
    sessionId: String(payload.session_id),
    context,
    raw: Buffer.from(`${JSON.stringify(payload)}\n`),
  };
};
