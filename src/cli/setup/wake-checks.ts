/** Checks agents for `drover doctor` and `drover wake test`. */
import { call as ask } from '../../client/call.ts';
import type { AgentView, RegistryProblem, Wake } from '../../contract/wake.ts';
import { listShortTimeouts } from '../../hook/install/registered.ts';
import type { Check } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';

/** Checks all agents, for the doctor. */
export const wakeChecks = async (call: Call): Promise<Check[]> => {
  const { agents, problems } = await ask(call.paths, 'listWakes', { query: { last: 1 } });
  const found = problems.map(problem => registryProblem(call, problem));
  for (const agent of agents) {
    const { agent_id: id, inactive } = agent;
    const name = `agent ${id}`;
    const checks = inactive === null ? [...hookTime(call, agent), ...(await linksOf(call, id, false))] : [];
    const wrong = checks.filter(({ ok }) => ok === false).map(check => ({ ...check, name }));
    const counts = countsOf(agent).map(says => ({ name, ok: null, says }));
    found.push(...wrong, ...counts);
    if (wrong.length === 0 && counts.length === 0)
      found.push({ name, ok: inactive === null ? true : null, says: inactive ?? 'reachable' });
  }
  return found;
};

/** Checks every step from the registry to one agent. `send`: also sends a test message. */
export const agentChecks = async (call: Call, id: string, send: boolean): Promise<Check[]> => {
  const { agents, problems, wakes } = await ask(call.paths, 'listWakes', {
    query: { agent: id, last: 1 },
  });
  const agent = agents.find(({ agent_id: one }) => one === id);
  const links = await linksOf(call, id, send);
  return [
    ...problems.map(problem => registryProblem(call, problem)),
    ...(agent ? hookTime(call, agent) : []),
    ...links,
    ...(agent ? countsOf(agent).map(says => ({ name: 'wakes', ok: null, says })) : []),
    lastWake(wakes[0]),
  ];
};

const linksOf = async ({ paths }: Call, id: string, send: boolean): Promise<Check[]> => {
  const body = { agent_id: id, send };
  return (await ask(paths, 'testWake', { body, timeout: 150_000 })).checks;
};

const registryProblem = ({ paths }: Call, { file, line, where, reason }: RegistryProblem): Check => ({
  name: 'agents',
  ok: false,
  says: `${file ?? paths.config}:${line}: ${where}: ${reason}`,
  fix: 'fix the entry; the others work',
});

/** Checks that the registered timeout lets hooks wait for an answer. */
const hookTime = ({ env, cwd }: Call, { hook_mode: mode }: AgentView): Check[] => {
  const short = mode === 'bidirectional' ? listShortTimeouts(env, cwd) : [];
  if (short.length === 0) return [];
  const says = `the timeout is too short to wait for an answer: ${short.join(', ')}`;
  return [{ name: 'hook time', ok: false, says, fix: 'run `drover setup`' }];
};

const countsOf = ({ withheld, dead }: AgentView): string[] => [
  ...(withheld > 0 ? [`withheld: ${withheld}, because sessions wake each other (\`drover wake log\`)`] : []),
  ...(dead > 0 ? [`not delivered: ${dead} in the last 30 days (\`drover wake log\`)`] : []),
];

const lastWake = (wake: Wake | undefined): Check => ({
  name: 'last wake',
  ok: wake?.status === 'delivered' ? true : null,
  says: wake ? `${wake.trigger} ${wake.status}${wake.reason ? `: ${wake.reason}` : ''}` : 'none yet',
});
