/** `drover restore`: after a reboot, every session back where it was. A plan first, done with --yes. */
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { startDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { readConfig } from '../../daemon/config.ts';
import { type ResumeDeps, openSession, planResume } from '../../resume/open-session.ts';
import type { Plan } from '../../resume/plan.ts';
import { lostSessions, intendedEnds } from '../../resume/lost-sessions.ts';
import { listTranscripts } from '../../resume/transcripts.ts';
import type { Place } from '../../tmux/server/open-pane.ts';
import { claudeDirs } from '../setup/claude-dirs.ts';
import { momentOf } from '../output/moment.ts';
import { tilde } from '../output/question.ts';
import { type Call, flag, text } from '../verb.ts';

interface Row extends Plan {
  tmux: Place;
  /** The pane it came back in. */
  pane?: string;
}

interface Skipped {
  id: string;
  why: string;
}

export const run = async (call: Call): Promise<number> => {
  const { paths, env } = call;
  if (!(await runningDaemon(paths))) await startDaemon(paths, env);
  const since = text(call, 'since');
  const { sessions } = await ask(paths, 'listSessions');
  const all = lostSessions(sessions, Date.now(), since === undefined ? null : momentOf(since, 'since'));
  const dirs = claudeDirs(env, paths);
  const deps: ResumeDeps = {
    paths,
    env,
    configured: readConfig(paths.config).claude,
    claudeDirs: dirs,
    transcripts: listTranscripts(dirs),
  };
  const rows: Row[] = [];
  const skipped: Skipped[] = [];
  for (const { session, place } of all) {
    const { id } = session;
    if (await wasMeant(call, session)) continue;
    try {
      rows.push({ ...planResume(deps, id, session), tmux: place });
    } catch (error) {
      skipped.push({ id, why: (error as Error).message });
    }
  }
  const left = flag(call, 'yes') ? await bringBack(deps, rows) : [];
  const broken = left.filter(({ error }) => !(error instanceof DroverError && error.code === 'refused'));
  const done = rows.filter(({ id }) => !left.some(row => row.id === id));
  report(call, done, [...skipped, ...left.map(({ id, error }) => ({ id, why: (error as Error).message }))]);
  return broken.length ? 7 : 0;
};

/** It ended by itself, or a person ended it, before its server did: it stays so. */
const wasMeant = async (call: Call, { id, state }: Session): Promise<boolean> => {
  if (state !== 'ended') return false;
  const { events } = await ask(call.paths, 'readLog', { query: { session: id, last: 20 } });
  const last = events.findLast(({ source }) => source !== 'drover');
  const end = events.findLast(({ name }) => name === 'SessionEnd')?.payload as
    | { reason?: string }
    | undefined;
  return last?.name === 'Outlived' || intendedEnds.has(end?.reason ?? '');
};

/** Starts what was planned, one after the other; gives back what did not work. */
const bringBack = async (deps: ResumeDeps, rows: Row[]): Promise<{ id: string; error: unknown }[]> => {
  const left: { id: string; error: unknown }[] = [];
  for (const row of rows) {
    const { tmux, ...plan } = row;
    try {
      row.pane = (await openSession(deps, plan, tmux)).pane;
    } catch (error) {
      left.push({ id: row.id, error });
    }
  }
  return left;
};

const report = (call: Call, rows: Row[], skipped: Skipped[]): void => {
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ done: flag(call, 'yes'), sessions: rows, skipped }));
    return;
  }
  for (const { id, dir, tmux, pane } of rows) {
    const at = `${tmux.session}:${tmux.window?.index ?? 'new'}`;
    call.out(`${pane ? 'back' : 'would'}  ${id.slice(0, 8)}  ${at.padEnd(14)}  ${tilde(dir, call.env)}`);
  }
  for (const { id, why } of skipped) call.out(`left  ${id.slice(0, 8)}  ${why}`);
  if (rows.length + skipped.length === 0) call.out('nothing went down with its tmux server');
  else if (!flag(call, 'yes') && rows.length) call.out('`drover restore --yes` does it');
};
