/**
 * Parking: a session is ended to free its memory, and stays listed. That it is about to be parked is recorded first, so that its
 * end is known to be meant, also when the daemon stops in between.
 */
import type { Event } from '../contract/event.ts';
import type { Reason } from '../contract/session.ts';
import type { Memory } from './memory.ts';
import { timing } from './timing.ts';

export const parkEvents = {
  /** SIGTERM follows. */
  begin: 'Parking',
  /** It did not end. */
  failed: 'NotParked',
} as const;

export const isParkEvent = (name: string): boolean => Object.values<string>(parkEvents).includes(name);

export const reducePark = (memory: Memory, { name, at }: Event): void => {
  memory.parking = name === parkEvents.begin ? at : null;
};

/** Whether an end at this time is that of a session that was being parked. */
export const isParkedEnd = ({ parking }: Memory, reason: Reason | null, at: number): boolean =>
  parking !== null && reason !== 'clear' && Math.abs(at - parking) <= timing.parkGrace;
