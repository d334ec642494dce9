/** Calls that Claude Code denied without asking. */
import type { DeniedCall, DeniedPage } from '../../contract/denied.ts';
import { DroverError } from '../../contract/error.ts';
import type { Event } from '../../contract/event.ts';
import { parseObject } from '../../hook/payload.ts';
import { limits } from '../../limits.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { allowRule } from '../../session/allow-rule.ts';
import { deniedName, denialOf } from '../../session/denied.ts';
import type { Folded } from '../../session/memory.ts';
import type { Log } from '../../store/log.ts';
import type { Handlers } from '../call.ts';
import { countOf } from '../count.ts';
import { checkedId } from '../router.ts';
import { findSession } from './sessions.ts';

export const deniedHandlers = (
  log: Pick<Log, 'backwards'>,
  sessionIndex: SessionIndex,
): Pick<Handlers, 'listDenied'> => ({
  listDenied: ({ query }): DeniedPage => {
    const named = query.get('session');
    const since = sinceOf(query.get('since'));
    const rows = countOf(query.get('last'), 50, limits.denied.rows);
    const sessions = named === null ? [...sessionIndex.all()] : [findSession(sessionIndex, checkedId(named))];
    const all = sessions
      .filter(({ denied }) => denied !== null)
      .flatMap(session => denialsOf(log, session, since))
      .sort((a, b) => b.at - a.at || b.id - a.id);
    return { denials: all.slice(0, rows), rules: countByRule(all), total: all.length };
  },
});

/** The newest denials of one session, as far as the log has them; and those at a deadline, which only the session knows. */
const denialsOf = (log: Pick<Log, 'backwards'>, session: Folded, since: number): DeniedCall[] => {
  const { id: sessionId, project, dir, denied } = session;
  const found: DeniedCall[] = [];
  let bytes = 0;
  for (const event of log.backwards(sessionId, deniedName)) {
    bytes += event.raw.length;
    if (found.length >= limits.denied.rows || bytes > limits.denied.bytes) break;
    if (event.at >= since) found.push({ ...callOf(event), sessionId, project, dir });
  }
  const atDeadline = (denied?.last ?? []).filter(
    ({ id, at }) => at >= since && !found.some(one => one.id === id),
  );
  return [...found, ...atDeadline.map(one => ({ ...one, rule: null, sessionId, project, dir }))];
};

const callOf = (event: Event) => {
  const hook = parseObject(event.raw) ?? {};
  return { ...denialOf(event, hook), rule: allowRule(hook.tool_name, hook.tool_input) };
};

const countByRule = (denials: DeniedCall[]): DeniedPage['rules'] => {
  const counts = new Map<string, number>();
  for (const { rule } of denials) if (rule !== null) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts]
    .map(([rule, count]) => ({ rule, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, limits.denied.rules);
};

const sinceOf = (given: string | null): number => {
  const since = Number(given ?? 0);
  if (Number.isSafeInteger(since) && since >= 0) return since;
  throw new DroverError('bad_cursor', `${JSON.stringify(given)} is not a number.`);
};
