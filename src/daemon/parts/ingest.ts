/** Reads what hooks left in the spool. */
import type { Draft } from '../../contract/event.ts';
import { Aside } from '../../hook/aside.ts';
import { OtherTools } from '../../hook/other-tools.ts';
import { SpoolReceiver, type EventSink } from '../../hook/receive.ts';
import { learnedWindows, statusLineName } from '../../hook/learned-windows.ts';
import { WaitingHooks, type WaitingHook } from '../../hook/waiting-hooks.ts';
import type { Core } from '../core.ts';

/** Takes the hook of an event that was committed: holds it, or lets it go. */
export type OnHook = (sessionId: string, delivery: string, hook: WaitingHook) => void;

export const openIngest = ({ paths, loop, store, clock, log, config, hostServer }: Core) => {
  const aside = new Aside(paths.aside);
  const otherTools = new OtherTools();
  const windows = learnedWindows(store.facts);
  const statusLines = new Set<(draft: Draft) => void>();
  const versionOf = (id: string) => loop.sessionIndex.get(id)?.version ?? null;
  /** Learns the context window of a model; true when the delivery was about that and is not an event of a session. */
  const learnWindow = (draft: Draft): boolean => {
    try {
      if (draft.source === 'hook' && draft.name === statusLineName)
        for (const listener of statusLines) listener(draft);
      return windows.learn(draft, versionOf);
    } catch (error) {
      // The CLI reports it again.
      log.error('Could not remember a context window', error);
      return true;
    }
  };
  const waitingHooks = new WaitingHooks(paths.waiting);
  const onHook: { [event: string]: OnHook | undefined } = {};
  /** A hook opens its FIFO before it writes its event. So what waits for this event waits by now. */
  const connect = ({ name, sessionId, context: { delivery } }: Draft): void => {
    const hook = delivery === undefined ? null : waitingHooks.open(delivery);
    if (!hook || delivery === undefined) return;
    const take = onHook[name];
    if (sessionId !== null && take) take(sessionId, delivery, hook);
    else void hook.respond(null);
  };
  const sink: EventSink = {
    append: async deliveries => {
      await loop.append(
        deliveries
          .filter(({ draft }) => !otherTools.ignores(draft) && !learnWindow(draft))
          .map(({ draft, key }) => ({ draft: hostServer.adopt(draft), key })),
      );
      for (const { draft } of deliveries) connect(draft);
    },
    release: keys => loop.release(keys),
  };
  const receive = new SpoolReceiver(paths, sink, aside, clock, log.error);
  return {
    name: 'ingest',
    aside,
    otherTools,
    receive,
    learn: learnWindow,
    /** Passes on the waiting hooks of these events. */
    onHook: (events: string[], take: OnHook) => {
      for (const event of events) onHook[event] = take;
    },
    /** Called with the JSON of each status line. */
    onStatusLine: (listener: (draft: Draft) => void) => void statusLines.add(listener),
    prepare: () => waitingHooks.start(),
    start: async () => {
      if (config.tmuxSocket !== undefined) await hostServer.isForeign(config.tmuxSocket);
      await receive.start();
    },
    close: async () => {
      await receive.close();
      waitingHooks.close();
    },
  };
};

export type Ingest = ReturnType<typeof openIngest>;
