/**
 * How far a wake is from whoever began it. A wake that is typed into a session begins a turn, and the end of that turn may
 * wake another session: one hop. Two sessions that watch each other would go on for ever, so what is too many hops away is
 * withheld. The message itself carries the count, so it outlives daemons and needs no book-keeping.
 */
import type { Trigger, Wake, WakeAgent } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { destinationOf } from '../deliver/deliver.ts';

/** The hops of a wake that comes of a turn which began with this prompt. */
export const hopsAfter = (prompt: string | null): number => {
  if (prompt === null || !wakeMessage.test(prompt)) return 0;
  const counts = [...prompt.matchAll(head)].map(([, lines = '']) =>
    Number(/^hops: (\d+)$/m.exec(lines)?.[1] ?? 0),
  );
  // Of several that came together the nearest counts: one that is no echo makes it a turn in its own right.
  return Math.min(...(counts.length > 0 ? counts : [0])) + 1;
};

/** The wake, withheld where it would go into a session and is too many hops away. */
export const bounded = (wake: Wake, agent: WakeAgent, now: number): Wake => {
  const { max_hops: most } = agent.settings;
  if (wake.hops <= most || !isTyped(agent) || asking.has(wake.trigger)) return wake;
  const reason = `${wake.hops} wakes in a row led to it: it goes with the next one that is no echo, or after an hour`;
  return { ...wake, status: 'withheld', due: now + limits.wake.withheld, reason };
};

/** The agent is a session: its wakes are typed there, and begin turns. */
export const isTyped = (agent: WakeAgent): boolean => {
  const to = destinationOf(agent);
  return to !== null && 'session' in to;
};

const wakeMessage = /^\s*\[(?:SESSION IDENTITY|WAKE DIGEST)\]\nagent_id: /;
const head = /^\[(?:TRIGGER|WAKE DIGEST)\]\n((?:.+(?:\n|$))*)/gm;

/** Somebody has to answer: the turn cannot go on, so these make no loop. */
const asking = new Set<Trigger>(['permission_prompt', 'ask_user_question', 'plan', 'dialog']);
