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
export const joinAnnouncements = (all: Announcement[]): Announcement | null => {
  const [first, ...others] = all;
  if (!first || others.length === 0) return first ?? null;
  const title = `${all.length} notifications from quiet hours`;
  const titles = new Set(all.map(one => (one.brief ?? one).title));
  return {
    title,
    text: all.map(one => `${one.title}\n${one.text}`).join('\n'),
    brief: { title, text: [...titles].join('\n') },
  };
};
