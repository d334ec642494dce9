/** Held requests: which ones wait with a hook, which were released, and whether the session is held at all. */
import type { PastRequest, ReleasedBy } from '../../contract/answer.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { remember } from './requests.ts';
import type { Folded } from '../memory.ts';

/** The names of the events. */
export const holdEvents = { approvals: 'Approvals', held: 'Held', released: 'Released' } as const;

const names: string[] = Object.values(holdEvents);
const maxHolds = 1_000;

export const isHoldEvent = (name: string): boolean => names.includes(name);

/** Changes `session`, which is the fold's own copy. */
export const reduceHold = (session: Folded, event: Event, payload: Hook): void => {
  const { memory } = session;
  const { hold: id, tool, until, shown, approvals } = payload as Record<string, unknown>;
  if (event.name === holdEvents.approvals) {
    session.approvals = approvals === 'held' ? 'held' : 'terminal';
    return;
  }
  if (typeof id !== 'number') return;
  const others = memory.holds.filter(hold => hold.id !== id);
  if (event.name === holdEvents.held && typeof until === 'number') {
    const held = { id, tool: typeof tool === 'string' ? tool : null, until, isShown: shown !== false };
    memory.holds = [...others, held].sort((a, b) => a.id - b.id).slice(-maxHolds);
  }
  if (event.name === holdEvents.released) {
    memory.holds = others;
    reduceRelease(session, event, id, payload);
  }
};

const reduceRelease = ({ memory }: Folded, event: Event, id: number, payload: Hook): void => {
  const { by, behavior, print } = payload as {
    by?: ReleasedBy;
    behavior?: PastRequest['behavior'];
    print?: string;
  };
  const asked = memory.requests.find(({ evidence }) => evidence.seq === id);
  if (by === 'answer' && asked) {
    // The tool may run with a changed input, which then identifies its result.
    const isDenied = behavior === 'deny';
    const answered = { ...asked, print: print ?? asked.print, isAnswered: true, isDenied };
    memory.requests = memory.requests.map(one => (one === asked ? answered : one));
  }
  const known = memory.past.find(past => past.id === id);
  // An answer in the terminal was remembered when its request was closed, unless it turned out later to have been faster.
  if (by === undefined || (by === 'terminal' && !asked && known?.by !== 'answer')) return;
  remember(memory, {
    id,
    line: asked?.detail.line ?? known?.line ?? '',
    print: asked?.print ?? known?.print ?? '',
    at: event.at,
    by,
    behavior: behavior ?? null,
  });
};
