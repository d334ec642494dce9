/** What Drover itself did about a session's requests: held them, let them go, and who said that it should. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Folded, ReleasedBy } from './memory.ts';

/** The names of the events. */
export const holdEvents = { approvals: 'Approvals', held: 'Held', released: 'Released' } as const;

const names: string[] = Object.values(holdEvents);
const holdsAtMost = 20;

export const isHoldEvent = (name: string): boolean => names.includes(name);

/** Writes it into the session, which is the fold's own copy. */
export const hearHold = (session: Folded, event: Event, payload: Hook): void => {
  const { memory } = session;
  const { hold: id, tool, until, by, approvals } = payload as Record<string, unknown>;
  if (event.name === holdEvents.approvals) {
    session.approvals = approvals === 'held' ? 'held' : 'terminal';
    return;
  }
  if (typeof id !== 'number') return;
  const others = memory.holds.filter(hold => hold.id !== id);
  if (event.name === holdEvents.held && typeof until === 'number') {
    const held = { id, tool: typeof tool === 'string' ? tool : null, until };
    memory.holds = [...others, held].sort((a, b) => a.id - b.id).slice(-holdsAtMost);
  }
  if (event.name === holdEvents.released) {
    memory.holds = others;
    memory.released = { id, by: by as ReleasedBy };
  }
  session.pending = memory.holds[0] ?? null;
};
