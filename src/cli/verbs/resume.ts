/** `drover resume`: a session taken up again in its own directory, and only once. */
import { locateCli } from '../../claude/find-cli.ts';
import { slugOf } from '../../claude/slug.ts';
import { call as ask } from '../../client/call.ts';
import type { SessionPage } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { readConfig } from '../../daemon/config.ts';
import { takeStartLock } from '../../resume/start-lock.ts';
import { launchArguments } from '../../resume/launch-arguments.ts';
import { forksOf } from '../../resume/forks.ts';
import { findProcess } from '../../resume/session-process.ts';
import { type Plan, planOf, shellLine } from '../../resume/plan.ts';
import { runInTerminal } from '../../resume/run-in-terminal.ts';
import {
  listTranscripts,
  newestFirst,
  statTranscript,
  type PastTranscript,
} from '../../resume/transcripts.ts';
import { claudeDirs } from '../setup/claude-dirs.ts';
import { goTo } from '../pick/go-to.ts';
import { resumeDirectory } from '../pick/resume-directory.ts';
import { ago } from '../output/say.ts';
import { tellPlan } from '../output/tell-plan.ts';
import { type Call, flag } from '../verb.ts';
import { whichSession } from '../pick/which-session.ts';

export const run = async (call: Call): Promise<number> => {
  const { env, paths } = call;
  check(call);
  const dirs = claudeDirs(env, paths);
  const transcripts = listTranscripts(dirs);
  const named = await whichSession(call, dirs, transcripts);
  if (!named) return flag(call, 'or-new') ? fresh(call) : 0;
  const { id } = named;
  const session = await recorded(call, id);
  const owner = flag(call, 'fork') ? null : findProcess(id, dirs, session);
  if (owner) return goTo(call, id, owner, session?.dir ?? null);
  const transcript = transcripts
    .filter(found => found.id === id)
    .flatMap(statTranscript)
    .sort(newestFirst)[0];
  if (!transcript) {
    if (flag(call, 'or-new')) return fresh(call);
    throw new DroverError(
      'no_session',
      `Session ${id} has no transcript: nothing was said in it, or it has been removed.`,
      'There is nothing to take up again; `drover sessions` lists what there is.',
    );
  }
  const found = await resumeDirectory(call, named, transcript, session);
  if (found === null) return flag(call, 'or-new') ? fresh(call) : 0;
  const plan = planFor(call, id, found, transcript);
  warn(call, plan, transcript, session);
  if (flag(call, 'dry-run')) return tellPlan(call, plan);
  return begin(call, plan, dirs);
};

const check = (call: Call): void => {
  if (flag(call, 'yes') && flag(call, 'no'))
    throw new DroverError('usage', '--yes and --no cannot both be meant.');
  if (flag(call, 'here') && flag(call, 'mkdir'))
    throw new DroverError('usage', '--here and --mkdir cannot both be meant.');
  if (call.env.CLAUDECODE && !flag(call, 'dry-run')) throw new DroverError('nested');
};

/** What Drover knows of a session; null when it knows nothing, or is not up. Resuming does not depend on it. */
const recorded = async (call: Call, id: string): Promise<SessionPage | null> => {
  const session = await ask(call.paths, 'readSession', { id }).catch(() => null);
  if (!session || session.origin === null) return session;
  // What somebody elsewhere reports under this id decides nothing here.
  if (session.state !== 'ended')
    call.err(
      `note: ${session.origin} reports a live session with this id; two of them write two transcripts.`,
    );
  return null;
};

const planFor = (call: Call, id: string, dir: string, transcript: PastTranscript): Plan => {
  const claude = locateCli(call.env, readConfig(call.paths.config).claude)?.path ?? 'claude';
  const { claudeDir } = transcript;
  const rest = [...launchArguments(call.paths, id), ...call.rest];
  const flags = { fork: flag(call, 'fork'), danger: flag(call, 'danger'), rest };
  return planOf({ id, dir, claude, claudeDir, ...flags }, call.env);
};

/** What a person may not expect, on standard error; it goes on all the same. */
const warn = (
  call: Call,
  { id, dir }: Plan,
  transcript: PastTranscript,
  session: SessionPage | null,
): void => {
  if (slugOf(dir) !== transcript.slug)
    call.err(
      'note: Claude Code before 2.1.223 finds a session only in the directory that it was started in.',
    );
  const forks = forksOf(transcript).into;
  const [newest = session?.next ?? null] = forks;
  if (newest && !flag(call, 'fork'))
    call.err(
      `note: session ${id.slice(0, 8)} has a newer one: ${newest.slice(0, 8)} ${forks.length ? 'is a fork of it' : 'followed it'}.`,
    );
};

const begin = async (call: Call, plan: Plan, dirs: string[]): Promise<number> => {
  const { id, argv, dir, env } = plan;
  const short = id.slice(0, 8);
  const forking = flag(call, 'fork');
  const held = forking ? null : await takeStartLock(call.paths, id);
  if (!held && !forking)
    throw new DroverError(
      'refused',
      `Session ${short} is being started elsewhere at this moment.`,
      'Wait for it, or start a copy of it with --fork.',
    );
  try {
    // While a question was open, somebody else may have started it.
    const owner = forking ? null : findProcess(id, dirs, null);
    if (owner) return await goTo(call, id, owner, dir);
    const began = Date.now();
    const code = await runInTerminal({ argv, dir, env: { ...call.env, ...env } });
    if (code !== 0 && code < 128)
      call.err(
        `drover: claude ended with ${code} after ${ago(began)}; session ${short} is still there: drover resume ${short}`,
      );
    return code;
  } finally {
    held?.release();
  }
};

/** A new session, where there is none to take up again or the answer was no. */
const fresh = async (call: Call): Promise<number> => {
  const claude = locateCli(call.env, readConfig(call.paths.config).claude)?.path ?? 'claude';
  const argv = [claude, ...(flag(call, 'danger') ? ['--dangerously-skip-permissions'] : []), ...call.rest];
  if (!flag(call, 'dry-run')) return runInTerminal({ argv, dir: call.cwd, env: call.env });
  if (flag(call, 'json')) call.out(JSON.stringify({ id: null, dir: call.cwd, argv }));
  else call.out(`directory  ${call.cwd}\ncommand    ${shellLine(argv)}`);
  return 0;
};
