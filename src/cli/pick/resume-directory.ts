/** The directory of a session, with the questions that it may take. */
import { mkdirSync } from 'node:fs';
import type { SessionPage } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { type Directory, directoryOf, isSame } from '../../resume/directory.ts';
import { fullSummary } from '../../resume/transcript-summary.ts';
import type { PastTranscript } from '../../resume/transcripts.ts';
import { canAsk, choice, tilde, yes } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';
import type { Named } from './which-session.ts';

/** The directory to start in; null when the answer was no. */
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
  { dirs, isComplete }: Directory & { kind: 'several' },
  choosing: boolean,
): Promise<string | null> => {
  const why = `Several directories fit session ${short}, and its transcript does not say which${isComplete ? '' : ' (there may be more)'}`;
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
