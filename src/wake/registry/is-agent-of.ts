import type { SessionIndex } from '../../live/session-index.ts';
import { agentSession } from './agent-session.ts';
import type { Registry } from './registry.ts';
import { successorOf } from './successor.ts';

/** Check whether the registry names session `own` as an agent that watches session `target`. A session never watches itself. */
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
