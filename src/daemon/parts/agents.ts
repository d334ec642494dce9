/** The agents of the config, and what follows from them: who may drive a session, and whose answer its hooks wait for. */
import { drivePolicy } from '../../hub/drive-policy.ts';
import { readParent } from '../../hub/start/launch-files.ts';
import type { Folded } from '../../session/memory.ts';
import { maxAnswerTime, awaitsAgent } from '../../wake/decide/deciding-agents.ts';
import { isAgentOf } from '../../wake/registry/is-agent-of.ts';
import { Registry } from '../../wake/registry/registry.ts';
import { ancestorsOf, isSameSession, successorOf } from '../../wake/registry/successor.ts';
import type { Core } from '../core.ts';

export const openAgents = ({ paths, config, loop, store, log }: Core) => {
  const registry = new Registry(
    paths.config,
    id => ancestorsOf(loop.sessionIndex.all(), id),
    id => readParent(paths, id),
    ({ file, where, reason }) =>
      log.error('A followed registry', new Error(`${file ?? ''} ${where} ${reason}`)),
  );
  return {
    registry,
    drive: drivePolicy(
      () => config.drive,
      session => registry.agentsOf(session).length > 0,
    ),
    awaitsAgent: (session: Folded) => awaitsAgent(registry, session),
    answerTime: (session: Folded) => maxAnswerTime(registry, session),
    /** Whether the first session is an agent of the second. */
    isAgentOf: (own: string, target: string) => isAgentOf(registry, loop.sessionIndex, own, target),
    /** Whether two ids name one session, also before and after a `/clear`. */
    isSame: (own: string, target: string) => isSameSession(loop.sessionIndex, own, target),
    /** Whether the first session has started or resumed the second, also before a `/clear` of either. */
    hasStarted: (own: string, target: string) => {
      const newest = successorOf(loop.sessionIndex, target)?.id ?? target;
      const ids = [newest, ...ancestorsOf(loop.sessionIndex.all(), newest)];
      return ids
        .flatMap(id => store.audit.startersOf(id))
        .some(starter => isSameSession(loop.sessionIndex, own, starter));
    },
  };
};

export type Agents = ReturnType<typeof openAgents>;
