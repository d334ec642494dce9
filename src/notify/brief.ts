/** A notice without its texts, for services outside this machine: project and reason of each session. */
import type { Notice } from '../contract/notice.ts';
import { shortId } from '../contract/short-id.ts';

export const briefText = (notice: Notice): { title: string; text: string } => {
  const { title, text, sessions } = notice;
  const lines = sessions.map(({ id, project, says }) => `${project ?? shortId(id)}: ${says}`);
  const [only] = lines;
  // A notice without sessions, such as that of a budget, has no text of a session unless it has a brief form.
  if (only === undefined) return notice.brief ?? { title, text };
  if (lines.length === 1) return { title: only, text: '' };
  return { title: `${lines.length} sessions wait for you`, text: lines.join('\n') };
};
