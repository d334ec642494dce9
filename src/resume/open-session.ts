/** Resume a session in a pane without asking anyone: uncertain cases are refused. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { locateCli } from '../claude/find-cli.ts';
import { withoutMarkers } from '../claude/markers.ts';
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import { writeEnvironmentFile } from '../files/environment-file.ts';
import { readPassedNames, sessionEnvironment, withoutSessionVariables } from '../config/passed-variables.ts';
import type { Env, Paths } from '../paths.ts';
import { isRemote } from '../contract/origin.ts';
import { type Opened, openPane, type Place, thenShell } from '../tmux/server/open-pane.ts';
import { takeStartLock } from './start-lock.ts';
import { directoryOf } from './directory.ts';
import { fullSummary } from './transcript-summary.ts';
import { launchArguments } from './launch-arguments.ts';
import { findProcess } from './session-process.ts';
import { type Plan, planOf } from './plan.ts';
import { newestFirst, statTranscript, type Transcript } from './transcripts.ts';
import { shortId } from '../contract/short-id.ts';

export interface ResumeDeps {
  paths: Paths;
  env: Env;
  /** `claude` of config.json. */
  configured: string | undefined;
  claudeDirs: string[];
  transcripts: Transcript[];
}

/** Plan how to resume a session; throws when it cannot be resumed. */
export const planResume = (deps: ResumeDeps, id: string, session: Session | null, copy?: string): Plan => {
  const { paths, env, configured, claudeDirs } = deps;
  const short = shortId(id);
  const fork = copy !== undefined;
  const running = fork ? null : findProcess(id, claudeDirs, session);
  if (running)
    throw new DroverError(
      'refused',
      `Session ${short} is running${running.pane ? ` in pane ${running.pane.pane}` : ''}.`,
    );
  const transcript = deps.transcripts
    .filter(found => found.id === id)
    .flatMap(statTranscript)
    .sort(newestFirst)[0];
  if (!transcript) throw new DroverError('no_session', `Session ${short} has no transcript.`);
  const { slug, claudeDir } = transcript;
  const recorded = session && !isRemote(session) ? session.dir : null;
  const directory = directoryOf({
    recorded,
    pane: null,
    transcript: fullSummary(transcript).dir,
    slug,
    cwd: '/',
  });
  if (directory.kind !== 'known')
    throw new DroverError(
      'refused',
      `The directory of session ${short} ${doubts[directory.kind]}.`,
      `Run \`drover resume ${short}\` to choose it.`,
    );
  const claude = locateCli(env, configured)?.path ?? 'claude';
  const rest = launchArguments(paths, id);
  return planOf({ id, dir: directory.dir, claude, claudeDir, fork, ...(fork && { copy }), rest }, env);
};

const doubts = {
  disagreement: 'differs between its transcript and what Drover recorded',
  several: 'is ambiguous: several directories match',
  gone: 'no longer exists',
  unknown: 'is unknown',
} as const;

/** Starts the planned command in a pane, and returns the command line. */
export type Starter = (plan: Plan, place: Place) => Promise<Opened & { argv: string[] }>;

/** Start a session in a pane, unless another process is starting it. A fork needs no lock: its id is new. */
export const openSession = async (
  { paths, env, claudeDirs }: ResumeDeps,
  plan: Plan,
  place: Place,
  start: Starter = startWithShell(paths, env),
): ReturnType<Starter> => {
  if (plan.copy) return start(plan, place);
  const lock = await takeStartLock(paths, plan.id);
  const short = shortId(plan.id);
  if (!lock) throw new DroverError('refused', `Session ${short} is already being started elsewhere.`);
  try {
    // The previous holder of the lock may have started it.
    if (findProcess(plan.id, claudeDirs, null))
      throw new DroverError('refused', `Session ${short} is running.`);
    const opened = await start(plan, place);
    lock.handOver(opened.pid);
    return opened;
  } catch (error) {
    lock.release();
    throw error;
  }
};

/** Start with a shell after the session ends, as a person expects in a pane. */
const startWithShell =
  (paths: Paths, env: Env): Starter =>
  async ({ id, copy, dir, argv, env: set }, place) => {
    const passed = readPassedNames(paths.config);
    const environmentFile = join(paths.resuming, `${copy ?? id}.env`);
    mkdirSync(paths.resuming, { recursive: true, mode: 0o700 });
    writeEnvironmentFile(environmentFile, sessionEnvironment(withoutMarkers(env), passed));
    try {
      const program = thenShell(argv, environmentFile);
      return { ...(await openPane(place, dir, program, withoutSessionVariables(env, passed), set)), argv };
    } catch (error) {
      rmSync(environmentFile, { force: true });
      throw error;
    }
  };
