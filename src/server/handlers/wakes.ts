/** The agents that sessions wake, and their wakes. */
import { DroverError } from '../../contract/error.ts';
import type { AgentView, Wake, WakeAgent, WakeTest } from '../../contract/wake.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { WakeTable } from '../../store/wake-table.ts';
import type { Registry } from '../../wake/registry/registry.ts';
import { describeDestination, describeWatched } from '../../wake/registry/describe-agent.ts';
import type { Handlers } from '../call.ts';
import { countOf } from '../count.ts';
import { checkedId } from '../router.ts';
import { findSession } from './sessions.ts';

export interface WakeParts {
  registry: Registry;
  wakes: { waiting: (agent: string) => { pending: number; withheld: number } };
  table: WakeTable;
  sessionIndex: SessionIndex;
  check: (agent: WakeAgent, send: boolean) => Promise<WakeTest>;
}

export const wakeHandlers = (parts: WakeParts): Pick<Handlers, 'listWakes' | 'testWake'> => ({
  listWakes: ({ query }) => {
    const { agents, problems } = parts.registry.read();
    const session = query.get('session');
    const id = session === null ? null : findSession(parts.sessionIndex, checkedId(session)).id;
    const newest = parts.table.newest(countOf(query.get('last'), 50, 1_000), query.get('agent'), id);
    return { agents: viewsOf(parts, agents), problems, wakes: newest.filter(hasAgent) };
  },
  testWake: ({ body: { agent_id: id, send }, action }) => {
    action.text = id;
    const agent = parts.registry.agent(id);
    if (!agent) throw new DroverError('no_agent', `There is no agent ${JSON.stringify(id)}.`);
    return parts.check(agent, send);
  },
});

/** A wake whose agents are not known yet has no agent. */
const hasAgent = ({ agent }: Wake): boolean => agent !== '';

const viewsOf = ({ registry, wakes, table, sessionIndex }: WakeParts, agents: WakeAgent[]): AgentView[] => {
  const watched = sessionIndex
    .live()
    .map(session => ({ id: session.id, by: registry.agentsOf(session).map(agent => agent.id) }));
  const undelivered = table.undelivered();
  return agents.map(agent => ({
    agent_id: agent.id,
    inactive: agent.inactive,
    file: agent.file,
    watches: describeWatched(agent),
    delivers: describeDestination(agent),
    hook_mode: agent.settings.hook_mode,
    sessions: watched.filter(({ by }) => by.includes(agent.id)).map(({ id }) => id),
    ...wakes.waiting(agent.id),
    ...(undelivered.get(agent.id) ?? { dead: 0, dropped: 0 }),
  }));
};
