/** The picker's state, keys and rendering. Pure; pick.ts drives the terminal. */
import type { TranscriptSummary } from '../../resume/transcript-summary.ts';
import type { PastTranscript } from '../../resume/transcripts.ts';
import { ago, line, size } from '../output/format.ts';

export interface Item extends PastTranscript {
  /** Null until its transcript has been read. */
  summary: TranscriptSummary | null;
  /** Current state; empty for an ended session. */
  state: string;
}

export interface Picker {
  items: Item[];
  filter: string;
  cursor: number;
}

/** Result of a key: another list, a session, or leaving. */
export type Pressed = { picker: Picker } | { picked: string } | { left: true };

export const press = (picker: Picker, key: string, page: number): Pressed => {
  const move = (by: number): Pressed => {
    const last = Math.max(0, found(picker).length - 1);
    return { picker: { ...picker, cursor: Math.min(last, Math.max(0, picker.cursor + by)) } };
  };
  const search = (filter: string): Pressed => ({ picker: { ...picker, filter, cursor: 0 } });
  switch (key) {
    case '\r':
    case '\n': {
      const item = found(picker)[picker.cursor];
      return item ? { picked: item.id } : { picker };
    }
    case '\x1b':
    case '\x03':
    case '\x04':
      return { left: true };
    case '\x1b[A':
    case '\x1bOA':
    case '\x10':
      return move(-1);
    case '\x1b[B':
    case '\x1bOB':
    case '\x0e':
      return move(1);
    case '\x1b[5~':
      return move(-page);
    case '\x1b[6~':
      return move(page);
    case '\x7f':
    case '\b':
      return search(Array.from(picker.filter).slice(0, -1).join(''));
    case '\x15':
      return search('');
    default:
      return /^[^\x00-\x1f\x7f]+$/u.test(key) ? search(picker.filter + key) : { picker };
  }
};

/** Returns the sessions that contain every word of the filter. */
export const found = ({ items, filter }: Picker): Item[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(item => {
    const text = textOf(item);
    return words.every(word => text.includes(word));
  });
};

/** Builds the text that a filter searches. Cached, because each key searches it. */
const textOf = ({ id, slug, state, summary }: Item): string => {
  if (!summary) return `${id}\n${slug}\n${state}`;
  const { title, dir, branch, prompt, last } = summary;
  const known = texts.get(summary) ?? [id, slug, title, dir, branch, prompt, last].join('\n').toLowerCase();
  texts.set(summary, known);
  return `${state}\n${known}`;
};

const texts = new WeakMap<TranscriptSummary, string>();

const columns = [
  ['age', 9],
  ['size', 8],
  ['state', 10],
  ['project', 20],
  ['branch', 14],
] as const;

/** Number of rows for sessions. */
export const rowsOf = (height: number): number => Math.max(1, height - 7);

/** Returns the visible items. */
export const onScreen = (picker: Picker, height: number): Item[] => {
  const all = found(picker);
  const rows = rowsOf(height);
  const top = Math.max(0, Math.min(picker.cursor - Math.floor(rows / 2), all.length - rows));
  return all.slice(top, top + rows);
};

export const paint = (picker: Picker, width: number, height: number, now: number): string[] => {
  const all = found(picker);
  const item = all[picker.cursor];
  const rows = onScreen(picker, height).map(
    row => `${row === item ? '\x1b[7m' : ''}${cells(row, width, now)}${row === item ? '\x1b[0m' : ''}`,
  );
  const head = columns.map(([title, wide]) => title.padEnd(wide)).join(' ');
  return [
    line(`resume: ${picker.filter}▏ ${all.length} of ${picker.items.length} sessions`, width),
    `\x1b[2m${line(`  ${head} about`, width)}\x1b[0m`,
    ...rows,
    ...Array.from({ length: rowsOf(height) - rows.length }, () => ''),
    '',
    ...about(item, width),
    `\x1b[2m${line('type to filter · ↑ ↓ select · Enter resume · Esc cancel', width)}\x1b[0m`,
  ];
};

const cells = (item: Item, width: number, now: number): string => {
  const { summary } = item;
  const values = [ago(item.at, now), size(item.size), item.state, projectOf(item), summary?.branch ?? ''];
  const row = columns.map(([, wide], n) => line(values[n] ?? '', wide).padEnd(wide)).join(' ');
  const parts = [summary?.title, summary?.prompt, summary?.last].filter(Boolean);
  return `  ${row} ${line(parts.join(' · '), Math.max(10, width - row.length - 3))}`;
};

/** Returns the project's name, or the end of the folder name until the transcript has been read. */
export const projectOf = ({ summary, slug }: Pick<Item, 'summary' | 'slug'>): string =>
  summary?.dir?.split('/').findLast(Boolean) ?? slug.slice(-20);

const about = (item: Item | undefined, width: number): string[] => {
  const { summary } = item ?? {};
  return [
    `${item?.id ?? ''}  ${summary?.dir ?? ''}`,
    summary?.prompt ? `first  ${summary.prompt}` : '',
    summary?.last ? `last   ${summary.last}` : '',
  ].map(text => line(text, width));
};
