/** `drover resume`: a session taken up again in its own directory, and only once. */
import { mkdirSync } from 'node:fs';
import { firstCli } from '../claude/find-cli.ts';
import { slugOf } from '../claude/slug.ts';
import { call as ask } from '../client/call.ts';
import type { SessionPage } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import { readConfig } from '../daemon/config.ts';
import { claim } from '../resume/claim.ts';
import { type Directory, directoryOf, isSame } from '../resume/directory.ts';
import { look } from '../resume/glance.ts';
import { forksOf } from '../resume/lineage.ts';
import { type Owner, ownerOf } from '../resume/owner.ts';
import { type Plan, planOf, shellLine } from '../resume/plan.ts';
import { start } from '../resume/start.ts';
import { listTranscripts, newestFirst, pastOf, type Past } from '../resume/transcripts.ts';
import { herePane } from '../tmux/pane-session.ts';
import { attach, visit, visitCommand } from '../tmux/visit.ts';
import { claudeDirs } from './claude-dirs.ts';
import { canAsk, choice, tilde, yes } from './question.ts';
import { ago } from './say.ts';
import { type Call, flag } from './verb.ts';
import { type Named, whichSession } from './which-session.ts';

export const run = async (call: Call): Promise<number> => {
  const { env, paths } = call;
  check(call);
  const dirs = claudeDirs(env, paths);
  const transcripts = listTranscripts(dirs);
  const named = await whichSession(call, dirs, transcripts);
  if (!named) return flag(call, 'or-new') ? fresh(call) : 0;
  const { id } = named;
  const session = await recorded(call, id);
  const owner = flag(call, 'fork') ? null : ownerOf(id, dirs, session);
  if (owner) return goTo(call, id, owner, session?.dir ?? null);
  const transcript = transcripts
    .filter(found => found.id === id)
    .flatMap(pastOf)
    .sort(newestFirst)[0];
  if (!transcript) {
    if (flag(call, 'or-new')) return fresh(call);
    throw new DroverError(
      'no_session',
      `Session ${id} has no transcript: nothing was said in it, or it has been removed.`,
      'There is nothing to take up again; `drover sessions` lists what there is.',
    );
  }
  const found = await where(call, named, transcript, session);
  if (found === null) return flag(call, 'or-new') ? fresh(call) : 0;
  const plan = planFor(call, id, found, transcript);
  warn(call, plan, transcript, session);
  if (flag(call, 'dry-run')) return tell(call, plan);
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
const recorded = (call: Call, id: string): Promise<SessionPage | null> =>
  ask<SessionPage>(call.paths, 'GET', `/sessions/${id}`).catch(() => null);

/** The directory to start in; null when the answer was no. */
const where = async (
  call: Call,
  { id, asked, pane }: Named,
  transcript: Past,
  session: SessionPage | null,
): Promise<string | null> => {
  const { cwd, env } = call;
  const directory = directoryOf({
    recorded: session?.dir ?? null,
    pane: pane?.id === id ? pane.dir : null,
    transcript: look(transcript).dir,
    slug: transcript.slug,
    cwd,
  });
  const short = id.slice(0, 8);
  if (flag(call, 'no') || flag(call, 'here')) return cwd;
  const choosing = canAsk() && !flag(call, 'dry-run');
  if (directory.kind === 'several') return chosen(call, short, directory, choosing);
  if (directory.kind === 'gone' && flag(call, 'mkdir')) {
    if (!flag(call, 'dry-run')) mkdirSync(directory.dir, { recursive: true });
    return directory.dir;
  }
  if (directory.kind === 'gone' || directory.kind === 'unknown') throw lost(short, directory);
  const { dir } = directory;
  const moves = !isSame(dir, cwd);
  const doubt = directory.kind === 'disagreement' ? doubtOf(directory) : null;
  if (doubt) call.err(`warning: ${doubt}`);
  const easy = !doubt && (flag(call, 'dry-run') || !(moves || flag(call, 'or-new')));
  if (easy || asked || flag(call, 'yes')) return dir;
  if (!choosing) {
    if (flag(call, 'or-new') && !doubt) return null;
    throw unanswered(doubt ?? `Session ${short} belongs to ${dir}, and this is ${cwd}.`);
  }
  return (await yes(`Resume session ${short}${moves ? ` from ${tilde(dir, env)}` : ''}?`)) ? dir : null;
};

const doubtOf = ({ dir, other, by }: Directory & { kind: 'disagreement' }): string =>
  `${by === 'drover' ? 'Drover recorded' : 'the pane says'} ${other}, the transcript says ${dir}.`;

const unanswered = (why: string): DroverError =>
  new DroverError('refused', why, '--yes takes the directory of the transcript, --no stays in this one.');

const chosen = async (
  call: Call,
  short: string,
  { dirs, whole }: Directory & { kind: 'several' },
  choosing: boolean,
): Promise<string | null> => {
  const why = `Several directories fit session ${short}, and its transcript does not say which${whole ? '' : ' (there may be more)'}`;
  if (!choosing)
    throw new DroverError(
      'refused',
      `${why}: ${dirs.join(', ')}.`,
      'Change into the right one and say --no: it stays there.',
    );
  call.out(`${why}:`);
  return choice('Which one?', dirs);
};

const lost = (short: string, directory: Directory): DroverError =>
  directory.kind === 'gone'
    ? new DroverError(
        'refused',
        `The directory of session ${short} is gone: ${directory.dir}`,
        '--mkdir makes it again, --here takes the session up in the current directory.',
      )
    : new DroverError(
        'refused',
        `No directory fits session ${short}.`,
        '--here takes it up in the current directory.',
      );

const planFor = (call: Call, id: string, dir: string, transcript: Past): Plan => {
  const claude = firstCli(call.env, readConfig(call.paths.config).claude) ?? 'claude';
  const { claudeDir } = transcript;
  const flags = { fork: flag(call, 'fork'), danger: flag(call, 'danger'), rest: call.rest };
  return planOf({ id, dir, claude, claudeDir, ...flags }, call.env);
};

/** What a person may not expect, on standard error; it goes on all the same. */
const warn = (call: Call, { id, dir }: Plan, transcript: Past, session: SessionPage | null): void => {
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

const tell = (call: Call, plan: Plan & { live?: true }): number => {
  if (flag(call, 'json')) {
    call.out(JSON.stringify(plan));
    return 0;
  }
  const set = Object.entries(plan.env ?? {}).map(([name, value]) => `${name}=${value}`);
  call.out(`directory  ${plan.dir}`);
  call.out(`command    ${shellLine([...(set.length ? ['env', ...set] : []), ...plan.argv])}`);
  return 0;
};

const begin = async (call: Call, plan: Plan, dirs: string[]): Promise<number> => {
  const { id, argv, dir, env } = plan;
  const short = id.slice(0, 8);
  const forking = flag(call, 'fork');
  const held = forking ? null : await claim(call.paths, id);
  if (!held && !forking)
    throw new DroverError(
      'refused',
      `Session ${short} is being started elsewhere at this moment.`,
      'Wait for it, or start a copy of it with --fork.',
    );
  try {
    // While a question was open, somebody else may have started it.
    const owner = forking ? null : ownerOf(id, dirs, null);
    if (owner) return await goTo(call, id, owner, dir);
    const began = Date.now();
    const code = await start({ argv, dir, env: { ...call.env, ...env } });
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
  const claude = firstCli(call.env, readConfig(call.paths.config).claude) ?? 'claude';
  const argv = [claude, ...(flag(call, 'danger') ? ['--dangerously-skip-permissions'] : []), ...call.rest];
  if (!flag(call, 'dry-run')) return start({ argv, dir: call.cwd, env: call.env });
  if (flag(call, 'json')) call.out(JSON.stringify({ id: null, dir: call.cwd, argv }));
  else call.out(`directory  ${call.cwd}\ncommand    ${shellLine(argv)}`);
  return 0;
};

/** It is live already: there instead of here. */
const goTo = async (call: Call, id: string, owner: Owner, dir: string | null): Promise<number> => {
  const short = id.slice(0, 8);
  const { pane } = owner;
  if (!pane) {
    const at = owner.host ? `on ${owner.host}` : `in process ${owner.pid}, outside tmux`;
    throw new DroverError('refused', `Session ${short} is live ${at}.`, 'Start a copy of it with --fork.');
  }
  if (flag(call, 'dry-run'))
    return tell(call, { id, dir: dir ?? call.cwd, argv: visitCommand(pane), live: true });
  const here = herePane(call.env);
  if (here?.socket === pane.socket) {
    if (here.pane === pane.pane)
      throw new DroverError('refused', `Session ${short} is live in this very pane.`, 'Try `fg`.');
    const problem = await visit(pane, here);
    if (problem) throw new DroverError('failed', `Session ${short} is live in ${pane.pane}: ${problem}.`);
    call.out(`session ${short} is live in ${pane.pane}: there you are`);
    return 0;
  }
  if (here || !canAsk())
    throw new DroverError(
      'refused',
      `Session ${short} is live in pane ${pane.pane} of the tmux server at ${pane.socket}.`,
      'Go there, or start a copy of it with --fork.',
    );
  const code = await attach(pane, call.env);
  if (code !== 0) throw new DroverError('failed', `tmux could not attach to ${pane.pane}.`);
  return 0;
};
