/** What `drover doctor` says about agents: nothing where there are none. */
import { call as ask } from '../client/call.ts';
import type { WakeList, WakeTest } from '../contract/wake.ts';
import type { Check } from './tell-checks.ts';
import type { Call } from './verb.ts';

export const wakeChecks = async ({ paths }: Call): Promise<Check[]> => {
  const { agents, problems } = await ask<WakeList>(paths, 'GET', '/wakes?last=1');
  const found: Check[] = problems.map(({ line, where, reason }) => ({
    name: 'agents',
    ok: false,
    says: `${paths.config}:${line}: ${where}: ${reason}`,
    fix: 'mend the entry; the others work',
  }));
  for (const { agent_id: id, inactive, held, dead } of agents) {
    const name = `agent ${id}`;
    const wish = { agent_id: id, send: false };
    const { checks } = await ask<WakeTest>(paths, 'POST', '/wakes/test', wish);
    const wrong = inactive === null ? checks.filter(({ ok }) => ok === false) : [];
    found.push(...wrong.map(({ says, fix }) => ({ name, ok: false, says, fix })));
    if (dead > 0)
      found.push({
        name,
        ok: null,
        says: `${dead} wakes could not be delivered in the last 30 days`,
      });
    if (held > 0)
      found.push({
        name,
        ok: null,
        says: `held back: ${held}, because sessions wake each other (\`drover wake log\`)`,
      });
    if (wrong.length === 0 && dead === 0 && held === 0)
      found.push({ name, ok: inactive === null ? true : null, says: inactive ?? 'can be woken' });
  }
  return found;
};
