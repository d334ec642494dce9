/** Finds the directory in which to resume a session, and asks if there is doubt. */
import { mkdirSync } from 'node:fs';
import type { SessionPage } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { type Directory, directoryOf, isSame } from '../../resume/directory.ts';
import { fullSummary } from '../../resume/transcript-summary.ts';
import type { PastTranscript } from '../../resume/transcripts.ts';
import { canAsk, choice, tilde, confirm } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';
import type { Named } from './choose-session.ts';
import { shortId } from '../../contract/short-id.ts';

/** Returns the directory to start in; null if the person declined. */
export const resumeDirectory = async (
  call: Call,
  { id, asked, pane }: Named,
  transcript: PastTranscript,
  session: SessionPage | null,
): Promise<string | null> => {
  const { cwd, env } = call;
  const directory = directoryOf({
    recorded: session?.dir ?? null,
    pane: pane?.id === id ? pane.dir : null,
    transcript: fullSummary(transcript).dir,
    slug: transcript.slug,
    cwd,
  });
  const short = shortId(id);
  if (flag(call, 'no') || flag(call, 'here')) return cwd;
  const choosing = canAsk() && !flag(call, 'dry-run');
  if (directory.kind === 'several') return chosen(call, short, directory, choosing);
  if (directory.kind === 'gone' && flag(call, 'mkdir')) {
    if (!flag(call, 'dry-run')) mkdirSync(directory.dir, { recursive: true });
    return directory.dir;
  }
  if (directory.kind === 'gone' || directory.kind === 'unknown') throw noDirectory(short, directory);
  const { dir } = directory;
  const moves = !isSame(dir, cwd);
  const doubt = directory.kind === 'disagreement' ? doubtOf(directory) : null;
  if (doubt) call.err(`warning: ${doubt}`);
  const easy = !doubt && (flag(call, 'dry-run') || !(moves || flag(call, 'or-new')));
  if (easy || asked || flag(call, 'yes')) return dir;
  if (!choosing) {
    if (flag(call, 'or-new') && !doubt) return null;
    throw unanswered(doubt ?? `Session ${short} belongs to ${dir}, but the current directory is ${cwd}.`);
  }
  return (await confirm(`Resume session ${short}${moves ? ` from ${tilde(dir, env)}` : ''}?`)) ? dir : null;
};

const doubtOf = ({ dir, other, by }: Directory & { kind: 'disagreement' }): string =>
  `${by === 'drover' ? 'Drover recorded' : 'the pane says'} ${other}, the transcript says ${dir}.`;

const unanswered = (why: string): DroverError =>
  new DroverError('refused', why, 'Use --yes for the directory of the transcript, --no for the current one.');

const chosen = async (
  call: Call,
  short: string,
  { dirs, isComplete }: Directory & { kind: 'several' },
  choosing: boolean,
): Promise<string | null> => {
  const why = `Several directories match session ${short}, and its transcript does not say which${isComplete ? '' : ' (there may be more)'}`;
  if (!choosing)
    throw new DroverError('refused', `${why}: ${dirs.join(', ')}.`, 'Change to the right one and use --no.');
  call.out(`${why}:`);
  return choice('Which one?', dirs);
};

const noDirectory = (short: string, directory: Directory): DroverError =>
  directory.kind === 'gone'
    ? new DroverError(
        'refused',
        `The directory of session ${short} no longer exists: ${directory.dir}`,
        'Use --mkdir to create it, or --here to resume in the current directory.',
      )
    : new DroverError(
        'refused',
        `No directory matches session ${short}.`,
        'Use --here to resume in the current directory.',
      );
