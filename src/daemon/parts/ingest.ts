/** Reads what hooks left in the spool. */
import type { Draft } from '../../contract/event.ts';
import { Aside } from '../../hook/aside.ts';
import { OtherTools } from '../../hook/other-tools.ts';
import { SpoolReceiver, type EventSink } from '../../hook/receive.ts';
import { learnedWindows, statusLineName } from '../../hook/learned-windows.ts';
import type { Core } from '../core.ts';

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
  const sink: EventSink = {
    append: deliveries =>
      loop.append(
        deliveries
          .filter(({ draft }) => !otherTools.ignores(draft) && !learnWindow(draft))
          .map(({ draft, key }) => ({ draft: hostServer.adopt(draft), key })),
      ),
    release: keys => loop.release(keys),
  };
  const receive = new SpoolReceiver(paths, sink, aside, clock, log.error);
  return {
    name: 'ingest',
    aside,
    otherTools,
    receive,
    learn: learnWindow,
    /** Called with the JSON of each status line. */
    onStatusLine: (listener: (draft: Draft) => void) => void statusLines.add(listener),
    start: async () => {
      if (config.tmuxSocket !== undefined) await hostServer.isForeign(config.tmuxSocket);
      await receive.start();
    },
    close: () => receive.close(),
  };
};

export type Ingest = ReturnType<typeof openIngest>;
