/** Lists agents, and what became of the newest wakes. */
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { shortId } from '../../contract/short-id.ts';
import { clockTime, line } from '../output/format.ts';
import { type Call, flag, list, text } from '../verb.ts';

export const listAgents = async (call: Call): Promise<number> => {
  await ensureDaemon(call.paths, call.env);
  const found = await ask(call.paths, 'listWakes', { query: { last: 1 } });
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ agents: found.agents, problems: found.problems }));
    return 0;
  }
  for (const {
    agent_id: id,
    inactive,
    file,
    watches,
    delivers,
    hook_mode: mode,
    sessions,
    pending,
    withheld,
    dropped,
    dead,
  } of found.agents) {
    const state = inactive ? `inactive: ${inactive}` : `${sessions.length} live`;
    const counts = [
      ...(pending ? [`${pending} waiting`] : []),
      ...(withheld ? [`${withheld} withheld`] : []),
      ...(dropped ? [`${dropped} dropped`] : []),
      ...(dead ? [`${dead} NOT DELIVERED`] : []),
    ];
    call.out(
      [
        line(id, 24).padEnd(16),
        [state, ...counts].join(', '),
        watches.join(', ') || '-',
        `-> ${delivers ?? '-'}`,
        mode,
        ...(file === null ? [] : [`from ${file}`]),
      ].join('  '),
    );
  }
  if (found.agents.length === 0)
    call.out('No agents. Add one with `drover wake add` or `drover wake import`.');
  for (const { file, line: at, where, reason } of found.problems)
    call.err(`${file ?? call.paths.config}:${at}: ${where}: ${reason}`);
  return found.problems.length ? 1 : 0;
};

export const listWakes = async (call: Call): Promise<number> => {
  const [session] = list(call, 'session');
  const query = {
    last: text(call, 'last') ?? 50,
    agent: text(call, 'agent') || undefined,
    session: session || undefined,
  };
  const { wakes } = await ask(call.paths, 'listWakes', { query });
  if (flag(call, 'json')) {
    for (const wake of wakes) call.out(JSON.stringify(wake));
    return 0;
  }
  for (const {
    at,
    agent: id,
    sessionId,
    trigger,
    status,
    source,
    tries,
    together,
    duration,
    reason,
  } of wakes)
    call.out(
      [
        clockTime(at),
        shortId(sessionId),
        line(id, 24),
        trigger,
        status,
        ...(source ? [source] : []),
        ...(duration === null ? [] : [`${Math.round(duration)} ms`]),
        ...(tries > 1 ? [`${tries} tries`] : []),
        ...(together > 1 ? [`one of ${together}`] : []),
        ...(reason ? [line(reason, 120)] : []),
      ].join('  '),
    );
  if (wakes.length === 0) call.out('No wakes');
  return 0;
};
