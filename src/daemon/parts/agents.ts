/** The agents of the config, and what follows from them: who may drive a session, and whose answer its hooks wait for. */
import { drivePolicy } from '../../hub/drive-policy.ts';
import type { Folded } from '../../session/memory.ts';
import { awaitsAgent } from '../../wake/decide/deciding-agents.ts';
import { isAgentOf } from '../../wake/registry/is-agent-of.ts';
import { Registry } from '../../wake/registry/registry.ts';
import { ancestorsOf } from '../../wake/registry/successor.ts';
import type { Core } from '../core.ts';

export const openAgents = ({ paths, config, loop }: Core) => {
  const registry = new Registry(paths.config, id => ancestorsOf(loop.sessionIndex.all(), id));
  return {
    registry,
    drive: drivePolicy(config.drive, session => registry.agentsOf(session).length > 0),
    awaitsAgent: (session: Folded) => awaitsAgent(registry, session),
    /** Whether the first session is an agent of the second. */
    isAgentOf: (own: string, target: string) => isAgentOf(registry, loop.sessionIndex, own, target),
  };
};

export type Agents = ReturnType<typeof openAgents>;
