/** The memory that sessions use. */
import { isRemote } from '../../contract/origin.ts';
import type { Streams } from '../../live/streams.ts';
import { MemoryUse } from '../../watch/memory-use.ts';
import type { Core } from '../core.ts';

export const openMemory = ({ loop, clock, log }: Core, { streams }: { streams: Streams }) => {
  const { sessionIndex } = loop;
  const memory = new MemoryUse(
    {
      processes: () =>
        sessionIndex
          .live()
          .flatMap(session =>
            session.pid === null || isRemote(session)
              ? []
              : [{ id: session.id, pid: session.pid, isMeasured: session.memoryBytes !== null }],
          ),
      publish: measured => streams.publishMeasured(sessionIndex.setMemory(measured)),
      onError: log.error,
    },
    clock,
  );
  return {
    name: 'memory',
    refresh: () => memory.refresh(),
    start: () => memory.start(),
    close: () => memory.close(),
  };
};
