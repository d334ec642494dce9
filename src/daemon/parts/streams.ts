/** Events in by POST, out by SSE. */
import { Streams } from '../../live/streams.ts';
import { eventHandlers } from '../../server/handlers/events.ts';
import type { Core } from '../core.ts';
import type { Ingest } from './ingest.ts';

export const openStreams = (
  { loop, store, clock }: Core,
  { aside, learn, otherTools }: Pick<Ingest, 'aside' | 'learn' | 'otherTools'>,
) => {
  const streams = new Streams(loop, store.log);
  return {
    name: 'streams',
    streams,
    handlers: eventHandlers(loop, streams, store.log, { aside, learn, otherTools }, clock),
    close: () => streams.close(),
  };
};
