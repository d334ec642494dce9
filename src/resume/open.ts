/** A session taken up again in a pane of its own, with nobody to ask: what is not certain is refused. */
import { locateCli } from '../claude/find-cli.ts';
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { isElsewhere } from '../contract/origin.ts';
import { type Opened, openPane, type Place, thenShell } from '../tmux/server/open-pane.ts';
import { claim } from './start-lock.ts';
import { directoryOf } from './directory.ts';
import { look } from './transcript-summary.ts';
import { launchedWith } from './launched-with.ts';
import { ownerOf } from './session-process.ts';
import { type Plan, planOf } from './plan.ts';
import { newestFirst, pastOf, type Transcript } from './transcripts.ts';

export interface Deps {
  paths: Paths;
  env: Env;
  /** `claude` of config.json. */
  configured: string | undefined;
  claudeDirs: string[];
  transcripts: Transcript[];
}

/** The plan for a session; throws what stands in its way. */
export const quietPlan = (deps: Deps, id: string, session: Session | null, copy?: string): Plan => {
  const { paths, env, configured, claudeDirs } = deps;
  const short = id.slice(0, 8);
  const fork = copy !== undefined;
  const owner = fork ? null : ownerOf(id, claudeDirs, session);
  if (owner)
    throw new DroverError(
      'refused',
      `Session ${short} is live${owner.pane ? ` in pane ${owner.pane.pane}` : ''}.`,
    );
  const transcript = deps.transcripts
    .filter(found => found.id === id)
    .flatMap(pastOf)
    .sort(newestFirst)[0];
  if (!transcript) throw new DroverError('no_session', `Session ${short} has no transcript.`);
  const { slug, claudeDir } = transcript;
  const recorded = session && !isElsewhere(session) ? session.dir : null;
  const directory = directoryOf({ recorded, pane: null, transcript: look(transcript).dir, slug, cwd: '/' });
  if (directory.kind !== 'known')
    throw new DroverError(
      'refused',
      `The directory of session ${short} is ${doubts[directory.kind]}.`,
      `\`drover resume ${short}\` asks about it.`,
    );
  const claude = locateCli(env, configured)?.path ?? 'claude';
  const rest = launchedWith(paths, id);
  return planOf({ id, dir: directory.dir, claude, claudeDir, fork, ...(fork && { copy }), rest }, env);
};

const doubts = {
  disagreement: 'told differently by its transcript and by what Drover recorded',
  several: 'one of several that fit it',
  gone: 'gone',
  unknown: 'not known',
} as const;

/** Starts what was planned at a place, and tells with which words. */
export type Starter = (plan: Plan, place: Place) => Promise<Opened & { argv: string[] }>;

/** Starts what was planned in a pane, unless somebody else is just doing so. A fork is nobody's yet. */
export const openSession = async (
  { paths, env, claudeDirs }: Deps,
  plan: Plan,
  place: Place,
  start: Starter = forPerson(env),
): ReturnType<Starter> => {
  if (plan.copy) return start(plan, place);
  const held = await claim(paths, plan.id);
  const short = plan.id.slice(0, 8);
  if (!held) throw new DroverError('refused', `Session ${short} is being started elsewhere.`);
  try {
    // Who had it claimed a moment ago may have it now.
    if (ownerOf(plan.id, claudeDirs, null)) throw new DroverError('refused', `Session ${short} is live.`);
    const opened = await start(plan, place);
    held.handOver(opened.pid);
    return opened;
  } catch (error) {
    held.release();
    throw error;
  }
};

/** With a shell behind it, as whoever sits there expects. */
const forPerson =
  (env: Env): Starter =>
  async ({ dir, argv, env: set }, place) => ({
    ...(await openPane(place, dir, thenShell(argv), env, set)),
    argv,
  });
