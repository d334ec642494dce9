/** Whether one session is an agent of another. */
import type { Roll } from '../../live/roll.ts';
import { agentSession } from './agent-session.ts';
import type { Registry } from './registry.ts';
import { successorOf } from './successor.ts';

/** Whether the registry names the session `own` as an agent that watches the session `target`; never itself. */
export const isAgentOf = (registry: Registry, roll: Roll, own: string, target: string): boolean => {
  const self = successorOf(roll, own);
  const watched = successorOf(roll, target);
  if (!self || !watched || self.id === watched.id) return false;
  return registry.agentsOf(watched).some(agent => agentSession(agent, roll)?.id === self.id);
};
