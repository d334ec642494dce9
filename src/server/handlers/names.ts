/** Titles and tags of sessions. Each change is recorded as an event. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { nameEvents, titleText } from '../../session/names.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { Handlers } from '../call.ts';
import { findSession } from './sessions.ts';

export const nameHandlers = (loop: Loop, clock: Clock): Pick<Handlers, 'setTitle' | 'setTags'> => {
  const { sessionIndex } = loop;
  const record = async (session: Folded, name: string, fields: object): Promise<Session> => {
    await loop.append([{ draft: ownEvent(name, session.id, clock.now(), fields) }]);
    return shown(sessionIndex.get(session.id) ?? session);
  };
  return {
    setTitle: ({ params: { id }, body, action }) => {
      const title = titleText(body.title);
      action.text = title ?? 'remove the name';
      return record(findSession(sessionIndex, id), nameEvents.rename, { title });
    },
    setTags: ({ params: { id }, body: { add = [], remove = [] }, action }) => {
      action.text = [...add.map(tag => `+${tag}`), ...remove.map(tag => `-${tag}`)].join(' ');
      const session = findSession(sessionIndex, id);
      const kept = session.tags.filter(tag => !remove.includes(tag));
      const tags = [...new Set([...kept, ...add])].sort();
      if (tags.length > limits.session.tags)
        throw new DroverError('refused', `A session can have at most ${limits.session.tags} tags.`);
      return record(session, nameEvents.tag, { tags });
    },
  };
};
