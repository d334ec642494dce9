/** The session that an agent is, where it is one. */
import type { WakeAgent } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';
import { destinationOf } from '../deliver/deliver.ts';
import { type Known, successorOf } from './successor.ts';

/** Where the agent's wakes are typed; null when it is no session, or none that is known. */
export const agentSession = (agent: WakeAgent, sessionIndex: Known): Folded | null => {
  const to = destinationOf(agent);
  return to && 'session' in to ? successorOf(sessionIndex, to.session) : null;
};

/** The id of the agent's session, while it works or a dialog is open in it: what waits goes when it is at its prompt. */
export const busyAgent = (agent: WakeAgent, sessionIndex: Known): string | null => {
  const session = agentSession(agent, sessionIndex);
  return session && session.state !== 'ended' && !isAtPrompt(session) ? session.id : null;
};

/** A session is not woken by itself. */
export const isItself = (agent: WakeAgent, session: Folded, sessionIndex: Known): boolean => {
  const own = agentSession(agent, sessionIndex);
  return own !== null && (own.id === session.id || own.id === session.next);
};

const isAtPrompt = ({ state, reason }: Folded): boolean =>
  state === 'ready' ||
  state === 'background' ||
  (state === 'waiting' && ['stopped', 'interrupted', 'failed'].includes(reason ?? ''));
