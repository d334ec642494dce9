/** The notification about two sessions that change the same file. */
import { basename } from 'node:path';
import type { Collision } from '../contract/changes.ts';
import type { Notice } from '../contract/notice.ts';
import type { Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';

export const collisionNotice = (
  { path, sessionId }: Collision,
  one: Pick<Session, 'id' | 'title'>,
  other: Pick<Session, 'id' | 'title'> | undefined,
): Pick<Notice, 'title' | 'text' | 'brief'> => ({
  title: `Two sessions change ${basename(path)}`,
  text: `${nameOf(one)} and ${nameOf(other ?? { id: sessionId, title: null })}: ${path}. Both keep running. See \`drover changes ${shortId(one.id)}\`.`,
  brief: { title: 'Two sessions change the same file', text: '' },
});

const nameOf = ({ id, title }: Pick<Session, 'id' | 'title'>): string =>
  `${shortId(id)}${title === null ? '' : ` "${title}"`}`;
