/**
 * A notice that Claude Code opens in the middle of a session: a text without options, and the keys that close it. They are read from
 * its last rows, such as "Enter to stay in auto mode · shift+Tab to leave · Esc to cancel".
 */
import { dialogTop, looksLikeRule } from './rule.ts';

export interface Notice {
  title: string;
  text: string;
  keys: { key: 'Enter' | 'BTab' | 'Escape'; label: string }[];
  /** Every row of it, as on the screen. */
  rows: string[];
}

/** Reads the notice on a screen of this width; null when it shows none. */
export const noticeOf = (screen: string[], width: number): Notice | null => {
  const end = screen.findLastIndex(row => row.trim() !== '') + 1;
  const top = dialogTop(screen, end, width);
  if (top === null) return null;
  const rows = screen.slice(top, end);
  const [title = '', ...body] = rows;
  if (title.trim() === '' || rows.some(row => looksLikeRule(row) || row.includes('❯'))) return null;
  const last = body.findLastIndex(row => row.trim() === '');
  const hints = body.slice(last + 1).map(row => row.trim());
  const keys = hints
    .join(' ')
    .split(' · ')
    .map(hint => /^(Enter|shift\+tab|Esc) to (.+)$/i.exec(hint))
    .map(found => found && { key: keyNames[found[1]?.toLowerCase() ?? ''] ?? null, label: found[2] ?? '' });
  const known = keys.flatMap(one => (one?.key ? [{ key: one.key, label: one.label }] : []));
  // Every hint is one of the keys, and Enter is among them.
  if (known.length !== keys.length || known[0]?.key !== 'Enter') return null;
  return {
    title: title.trim(),
    text: body
      .slice(0, last)
      .map(row => row.trim())
      .join('\n')
      .trim(),
    keys: known,
    rows: screen.slice(top - 1, end).filter(row => row !== ''),
  };
};

const keyNames: { [hint: string]: Notice['keys'][number]['key'] | undefined } = {
  enter: 'Enter',
  'shift+tab': 'BTab',
  esc: 'Escape',
};
