/** The part of an event that is kept as evidence. */
import type { Event } from '../contract/event.ts';
import type { Evidence } from '../contract/session.ts';

export const evidenceOf = ({ source, name, seq, at }: Event): Evidence => ({ source, name, seq, at });
