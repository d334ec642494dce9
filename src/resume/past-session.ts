/** Build a session from its transcript, for one that Drover has no events of. */
import type { Session } from '../contract/session.ts';
import { unknownSession } from '../contract/unknown-session.ts';
import { briefSummary } from './transcript-summary.ts';
import type { PastTranscript } from './transcripts.ts';

export const pastSession = (past: PastTranscript): Session => {
  const { dir, last, title, prompt } = briefSummary(past);
  const at = Math.floor(past.at);
  const text = last ?? prompt;
  return {
    ...unknownSession(past.id, { source: 'transcript', name: 'Transcript', seq: 0, at }),
    state: 'ended',
    detail:
      text === null
        ? null
        : {
            line: title ?? text.slice(0, 200),
            text,
            cut: 0,
            tool: null,
            questions: [],
            agent: null,
            request: null,
          },
    cwd: dir,
    dir,
    project: dir?.split('/').findLast(Boolean) ?? null,
    transcript: past.path,
  };
};
