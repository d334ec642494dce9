/** Outlines of the events of all hosts, as server-sent events. */
import type { Writable } from 'node:stream';
import * as z from 'zod';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { drained } from '../../live/drained.ts';
import type { Streams } from '../../live/streams.ts';
import { type Call, headerOf } from '../call.ts';
import { EventStream } from '../reply.ts';

const Cursor = z.record(z.string(), z.object({ epoch: z.string(), seq: z.number().int() }));
type Cursor = z.infer<typeof Cursor>;

interface Batch {
  host: string;
  name: string;
  epoch: string;
  events: readonly (readonly [number, number, string, string, string | null])[];
  gap: { after: number; first: number } | null;
  cursor: Cursor;
}

/** What this needs of the fleet. */
interface Outlines {
  readOutlines: (cursor: Cursor, onBatch: (batch: Batch) => void | Promise<void>) => () => void;
}

/**
 * Each frame is a batch with the cursor after it, which holds the place in the log of every host. A reader gets a frame completely or
 * not at all, so each event once, wherever its connection breaks.
 */
export const followOutlines = (
  fleet: Outlines | null,
  streams: Pick<Streams, 'addOutlines' | 'outlineReaders' | 'isFull'>,
  { headers, query, caller }: Call,
): EventStream => {
  const cursor = cursorOf(headerOf(headers, 'last-event-id') ?? query.get('after'));
  if (!fleet) throw new DroverError('not_joined');
  if (streams.outlineReaders >= limits.fleet.outlineReaders || streams.isFull(caller))
    throw new DroverError('busy');
  return new EventStream(async sink => {
    streams.addOutlines(sink, caller);
    const stop = fleet.readOutlines(cursor, batch => write(sink, batch));
    sink.on('close', stop);
    sink.on('error', stop);
    await Promise.resolve();
  });
};

const write = async (sink: Writable, batch: Batch): Promise<void> => {
  const { host, name: hostName, epoch, gap, cursor } = batch;
  if (sink.destroyed || sink.writableEnded) return;
  const events = batch.events.map(([seq, at, source, name, session]) => ({ seq, at, source, name, session }));
  const id = Buffer.from(JSON.stringify(cursor)).toString('base64url');
  const data = JSON.stringify({ host, hostName, epoch, gap, events });
  if (!sink.write(`id: ${id}\nevent: outlines\ndata: ${data}\n\n`)) await drained(sink);
};

const cursorOf = (given: string | null): Cursor => {
  if (given === null || given === '' || given === '0') return {};
  try {
    return Cursor.parse(JSON.parse(Buffer.from(given, 'base64url').toString('utf8')));
  } catch {
    throw new DroverError('bad_cursor', 'The cursor is not one of this stream.');
  }
};
