/** Whether one session is an agent of another. */
import type { SessionIndex } from '../../live/session-index.ts';
import { agentSession } from './agent-session.ts';
import type { Registry } from './registry.ts';
import { successorOf } from './successor.ts';

/** Whether the registry names the session `own` as an agent that watches the session `target`; never itself. */
export const isAgentOf = (
  registry: Registry,
  sessionIndex: SessionIndex,
  own: string,
  target: string,
): boolean => {
  const self = successorOf(sessionIndex, own);
  const watched = successorOf(sessionIndex, target);
  if (!self || !watched || self.id === watched.id) return false;
  return registry.agentsOf(watched).some(agent => agentSession(agent, sessionIndex)?.id === self.id);
};
