/**
 * Counts how many wakes led to a wake. A wake that is typed into a session begins a turn, and the end of that turn may wake
 * another session: one hop. Two sessions that watch each other would never stop, so a wake after too many hops is withheld.
 * The message itself carries the count, so it survives restarts.
 */
import type { Trigger, Wake, WakeAgent } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { destinationOf } from '../deliver/deliver.ts';

/** The hops of a wake from a turn that began with this prompt. */
export const hopsAfter = (prompt: string | null): number => {
  if (prompt === null || !wakeMessage.test(prompt)) return 0;
  const counts = [...prompt.matchAll(head)].map(([, lines = '']) =>
    Number(/^hops: (\d+)$/m.exec(lines)?.[1] ?? 0),
  );
  // If one message has several wakes, the lowest count applies.
  return Math.min(...(counts.length > 0 ? counts : [0])) + 1;
};

/** Withholds a wake that would be typed into a session after too many hops. */
export const withholdLoop = (wake: Wake, agent: WakeAgent, now: number): Wake => {
  const { max_hops: most } = agent.settings;
  if (wake.hops <= most || !isSessionAgent(agent) || blockingTriggers.has(wake.trigger)) return wake;
  const reason = `${wake.hops} wakes in a row led to it; sent with the agent's next other wake, or after an hour`;
  return { ...wake, status: 'withheld', due: now + limits.wake.withheld, reason };
};

/** Whether the agent is a session: its wakes are typed there, and begin turns. */
export const isSessionAgent = (agent: WakeAgent): boolean => {
  const to = destinationOf(agent);
  return to !== null && 'session' in to;
};

const wakeMessage = /^\s*\[(?:SESSION IDENTITY|WAKE DIGEST)\]\nagent_id: /;
const head = /^\[(?:TRIGGER|WAKE DIGEST)\]\n((?:.+(?:\n|$))*)/gm;

/** Triggers that block the turn until somebody answers, so they cannot cause a loop. */
const blockingTriggers = new Set<Trigger>(['permission_prompt', 'ask_user_question', 'plan', 'dialog']);
