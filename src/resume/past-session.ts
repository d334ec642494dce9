/** A past session of which Drover has seen no event: what its transcript tells, in the form of any other. */
import type { Session } from '../contract/session.ts';
import { unknownSession } from '../contract/unknown-session.ts';
import { glance } from './transcript-summary.ts';
import type { Past } from './transcripts.ts';

export const pastSession = (past: Past): Session => {
  const { dir, last, title, prompt } = glance(past);
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
