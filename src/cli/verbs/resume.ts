/** `drover resume`: resumes a session in its own directory, never twice at once. */
import { locateCli } from '../../claude/find-cli.ts';
import { slugOf } from '../../claude/slug.ts';
import { call as ask } from '../../client/call.ts';
import type { SessionPage } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { readConfig } from '../../daemon/config.ts';
import { takeStartLock } from '../../resume/start-lock.ts';
import { launchArguments } from '../../resume/launch-arguments.ts';
import { forksOf } from '../../resume/forks.ts';
import { findProcess, withPane } from '../../resume/session-process.ts';
import { type Plan, planOf, shellLine } from '../../resume/plan.ts';
import { runInTerminal } from '../../resume/run-in-terminal.ts';
import {
  listTranscripts,
  newestFirst,
  statTranscript,
  type PastTranscript,
} from '../../resume/transcripts.ts';
import { claudeDirs } from '../setup/claude-dirs.ts';
import { goToRunning } from '../pick/go-to-running.ts';
import { resumeDirectory } from '../pick/resume-directory.ts';
import { ago } from '../output/format.ts';
import { printPlan } from '../output/print-plan.ts';
import { type Call, flag } from '../verb.ts';
import { hostNamed, resumeOnHost } from '../pick/resume-on-host.ts';
import { chooseSession } from '../pick/choose-session.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const { env, paths } = call;
  check(call);
  const host = await hostNamed(call);
  if (host !== null) return resumeOnHost(call, host);
  const dirs = claudeDirs(env, paths);
  const transcripts = listTranscripts(dirs);
  const named = await chooseSession(call, dirs, transcripts);
  if (!named) return flag(call, 'or-new') ? startNew(call) : 0;
  const { id } = named;
  const session = await readRecorded(call, id);
  const running = flag(call, 'fork') ? null : await withPane(findProcess(id, dirs, session), env);
  if (running) return goToRunning(call, id, running, session?.dir ?? null);
  const transcript = transcripts
    .filter(found => found.id === id)
    .flatMap(statTranscript)
    .sort(newestFirst)[0];
  if (!transcript) {
    if (flag(call, 'or-new')) return startNew(call);
    throw new DroverError(
      'no_session',
      `Session ${id} has no transcript. It never had a prompt, or the file was deleted.`,
      '`drover sessions` lists the sessions that can be resumed.',
    );
  }
  const found = await resumeDirectory(call, named, transcript, session);
  if (found === null) return flag(call, 'or-new') ? startNew(call) : 0;
  const plan = planFor(call, id, found, transcript);
  warn(call, plan, transcript, session);
  if (flag(call, 'dry-run')) return printPlan(call, plan);
  return begin(call, plan, dirs);
};

const check = (call: Call): void => {
  if (flag(call, 'yes') && flag(call, 'no'))
    throw new DroverError('usage', '--yes and --no cannot be combined.');
  if (flag(call, 'here') && flag(call, 'mkdir'))
    throw new DroverError('usage', '--here and --mkdir cannot be combined.');
  if (call.env.CLAUDECODE && !flag(call, 'dry-run')) throw new DroverError('nested');
};

/** Returns what the daemon knows of a session, or null. Resuming works without it. */
const readRecorded = async (call: Call, id: string): Promise<SessionPage | null> => {
  const session = await ask(call.paths, 'readSession', { id }).catch(() => null);
  if (!session || session.origin === null) return session;
  // A session reported over HTTP under the same id is not this one.
  if (session.state !== 'ended')
    call.err(`note: ${session.origin} reports a running session with the same id.`);
  return null;
};

const planFor = (call: Call, id: string, dir: string, transcript: PastTranscript): Plan => {
  const claude = locateCli(call.env, readConfig(call.paths.config).claude)?.path ?? 'claude';
  const { claudeDir } = transcript;
  const rest = [...launchArguments(call.paths, id), ...call.rest];
  const flags = { fork: flag(call, 'fork'), danger: flag(call, 'danger'), rest };
  return planOf({ id, dir, claude, claudeDir, ...flags }, call.env);
};

/** Warns about what a person may not expect. */
const warn = (
  call: Call,
  { id, dir }: Plan,
  transcript: PastTranscript,
  session: SessionPage | null,
): void => {
  if (slugOf(dir) !== transcript.slug)
    call.err('note: Claude Code before 2.1.223 finds a session only in the directory where it was started.');
  const forks = forksOf(transcript).into;
  const [newest = session?.next ?? null] = forks;
  if (newest && !flag(call, 'fork'))
    call.err(
      `note: session ${shortId(id)} has a newer one: ${shortId(newest)} ${forks.length ? 'is a fork of it' : 'continues it'}.`,
    );
};

const begin = async (call: Call, plan: Plan, dirs: string[]): Promise<number> => {
  const { id, argv, dir, env } = plan;
  const short = shortId(id);
  const forking = flag(call, 'fork');
  const lock = forking ? null : await takeStartLock(call.paths, id);
  if (!lock && !forking)
    throw new DroverError(
      'refused',
      `Session ${short} is being started elsewhere.`,
      'Wait for it, or start a copy with --fork.',
    );
  try {
    // It may have been started elsewhere while Drover asked something.
    const running = forking ? null : await withPane(findProcess(id, dirs, null), call.env);
    if (running) return await goToRunning(call, id, running, dir);
    const began = Date.now();
    const code = await runInTerminal({ argv, dir, env: { ...call.env, ...env } });
    if (code !== 0 && code < 128)
      call.err(
        `drover: claude exited with ${code} after ${ago(began)}. Session ${short} is unchanged: drover resume ${short}`,
      );
    return code;
  } finally {
    lock?.release();
  }
};

/** Starts a new session if there is none to resume, or the person declined. */
const startNew = async (call: Call): Promise<number> => {
  const claude = locateCli(call.env, readConfig(call.paths.config).claude)?.path ?? 'claude';
  const argv = [claude, ...(flag(call, 'danger') ? ['--dangerously-skip-permissions'] : []), ...call.rest];
  if (!flag(call, 'dry-run')) return runInTerminal({ argv, dir: call.cwd, env: call.env });
  if (flag(call, 'json')) call.out(JSON.stringify({ id: null, dir: call.cwd, argv }));
  else call.out(`directory  ${call.cwd}\ncommand    ${shellLine(argv)}`);
  return 0;
};
