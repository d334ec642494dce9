/** Agents that are sessions themselves: wakes are typed into them. */
import type { WakeAgent } from '../../contract/wake.ts';
import type { Folded } from '../../session/memory.ts';
import { destinationOf } from '../deliver/deliver.ts';
import { type SessionLookup, successorOf } from './successor.ts';

/** Find the session that the agent's wakes are typed into; null when the agent is not a known session. */
export const agentSession = (agent: WakeAgent, sessionIndex: SessionLookup): Folded | null => {
  const to = destinationOf(agent);
  return to && 'session' in to ? successorOf(sessionIndex, to.session) : null;
};

/** Return the id of the agent's session while it cannot take a prompt: it works or shows a dialog. Wakes wait until then. */
export const busySessionOf = (agent: WakeAgent, sessionIndex: SessionLookup): string | null => {
  const session = agentSession(agent, sessionIndex);
  return session && session.state !== 'ended' && !isAtPrompt(session) ? session.id : null;
};

/** Check whether the agent is this session, or the one that follows it: no session wakes itself. */
export const isItself = (agent: WakeAgent, session: Folded, sessionIndex: SessionLookup): boolean => {
  const own = agentSession(agent, sessionIndex);
  return own !== null && (own.id === session.id || own.id === session.next);
};

const isAtPrompt = ({ state, reason }: Folded): boolean =>
  state === 'ready' ||
  state === 'background' ||
  (state === 'waiting' && ['stopped', 'interrupted', 'failed'].includes(reason ?? ''));
