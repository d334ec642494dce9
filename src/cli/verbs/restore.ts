/** `drover restore`: restores sessions to their panes after a reboot. Prints a plan unless --yes is given. */
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
import { timeOf } from '../output/time-of.ts';
import { tilde } from '../output/question.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

interface Row extends Plan {
  tmux: Place;
  /** Pane in which it was restored. */
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
  const all = lostSessions(sessions, Date.now(), since === undefined ? null : timeOf(since, 'since'));
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
    if (await endedOnPurpose(call, session)) continue;
    try {
      rows.push({ ...planResume(deps, id, session), tmux: place });
    } catch (error) {
      skipped.push({ id, why: (error as Error).message });
    }
  }
  const left = flag(call, 'yes') ? await restoreAll(deps, rows) : [];
  const broken = left.filter(({ error }) => !(error instanceof DroverError && error.code === 'refused'));
  const done = rows.filter(({ id }) => !left.some(row => row.id === id));
  report(call, done, [...skipped, ...left.map(({ id, error }) => ({ id, why: (error as Error).message }))]);
  return broken.length ? 7 : 0;
};

/** Returns whether the session ended on purpose before its tmux server did. */
const endedOnPurpose = async (call: Call, { id, state }: Session): Promise<boolean> => {
  if (state !== 'ended') return false;
  const { events } = await ask(call.paths, 'readLog', { query: { session: id, last: 20 } });
  const last = events.findLast(({ source }) => source !== 'drover');
  const end = events.findLast(({ name }) => name === 'SessionEnd')?.payload as
    | { reason?: string }
    | undefined;
  return last?.name === 'Outlived' || intendedEnds.has(end?.reason ?? '');
};

/** Starts the planned sessions in order and returns those that failed. */
const restoreAll = async (deps: ResumeDeps, rows: Row[]): Promise<{ id: string; error: unknown }[]> => {
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
    call.out(
      `${pane ? 'restored' : 'would restore'}  ${shortId(id)}  ${at.padEnd(14)}  ${tilde(dir, call.env)}`,
    );
  }
  for (const { id, why } of skipped) call.out(`skipped  ${shortId(id)}  ${why}`);
  if (rows.length + skipped.length === 0) call.out('No session was lost with its tmux server');
  else if (!flag(call, 'yes') && rows.length) call.out('Run `drover restore --yes` to restore them');
};
