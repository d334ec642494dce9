/** The address on the page that a notice is about: its session, or the list for several. */
import type { Notice } from '../contract/notice.ts';

/** Returns null where the config does not say at which address you reach the page. */
export const pageLink = ({ sessions }: Pick<Notice, 'sessions'>, page: string | undefined): string | null => {
  if (page === undefined) return null;
  const [only] = sessions;
  const base = page.replace(/\/+$/, '');
  return only && sessions.length === 1 ? `${base}/#/s/${only.id}` : `${base}/`;
};
