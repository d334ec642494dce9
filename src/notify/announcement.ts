/** Notices that are not about waiting sessions, such as a budget that is reached. */
import type { Notice } from '../contract/notice.ts';

export type Announcement = Pick<Notice, 'title' | 'text' | 'brief'>;

/** Removes secrets. */
export const maskAnnouncement = (
  { title, text, brief }: Announcement,
  mask: (text: string) => string,
): Announcement => ({
  title: mask(title),
  text: mask(text),
  ...(brief && { brief: { title: mask(brief.title), text: mask(brief.text) } }),
});

/** Makes one of several; null if there is none. */
export const joinAnnouncements = (held: Announcement[]): Announcement | null => {
  const [first, ...others] = held;
  if (!first || others.length === 0) return first ?? null;
  const title = `${held.length} notifications from quiet hours`;
  const titles = new Set(held.map(one => (one.brief ?? one).title));
  return {
    title,
    text: held.map(one => `${one.title}\n${one.text}`).join('\n'),
    brief: { title, text: [...titles].join('\n') },
  };
};
