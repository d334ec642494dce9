/** Outlines of events: what happened when in which session, without what was said. */
import * as z from 'zod';
import { Source } from '../../contract/event.ts';
import { HostId } from '../../contract/fleet.ts';

/** One event: sequence number, time, source, name, session. */
export const OutlineLine = z.tuple([
  z.number().int(),
  z.number().int(),
  Source,
  z.string().max(200),
  z.string().max(200).nullable(),
]);
export type OutlineLine = z.infer<typeof OutlineLine>;

/** The events of a host after `from` up to `to`. */
export const OutlineBatch = z.looseObject({
  host: HostId,
  epoch: z.string().max(64),
  from: z.number().int(),
  to: z.number().int(),
  events: z.array(OutlineLine).max(1_000),
});
export type OutlineBatch = z.infer<typeof OutlineBatch>;
