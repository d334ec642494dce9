/**
 * What was renamed on purpose since the corpus was recorded. The recorded outcome is read with the new names, so
 * that a replay shows every other difference. Names that users rely on (hooks, `@meta.claude.*`) have no place here.
 */

interface Rename {
  /**
   * `event`: the name of an event of Drover's own; `field`: a key of JSON; `option`: a tmux option of Drover's own; `text`: a
   * sentence, or a part of one.
   */
  kind: 'event' | 'field' | 'option' | 'text';
  was: string;
  is: string;
  reason: string;
}

const renames: Rename[] = [
  { kind: 'field', was: 'hold', is: 'deferral', reason: '*held* means only that a hook waits (bd969f7).' },
  { kind: 'field', was: 'held', is: 'deferred', reason: 'The same, in an item of the queue.' },
  {
    kind: 'field',
    was: 'place',
    is: 'position',
    reason: 'The common word for a place in a queue (bd969f7).',
  },
  {
    kind: 'text',
    was: 'The daemon stopped while it was being typed, and nothing shows what became of it.',
    is: 'The daemon stopped while it was being typed, and its outcome is unknown.',
    reason: 'Plainer wording of a receipt.',
  },
];

/** A recorded value with the names of today. */
export const renamed = (value: unknown, table: readonly Rename[] = renames): unknown => {
  const name = (kinds: Rename['kind'][], word: string): string =>
    table.find(({ kind, was }) => kinds.includes(kind) && was === word)?.is ?? word;
  const texts = table.filter(({ kind }) => kind === 'text');
  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return texts.reduce((text, { was, is }) => text.replace(was, is), given);
    if (Array.isArray(given)) return given.map(walk);
    if (typeof given !== 'object' || given === null) return given;
    const isOwn = 'source' in given && given.source !== 'hook';
    return Object.fromEntries(
      Object.entries(given).map(([key, item]) => [
        name(['field', 'option'], key),
        isOwn && key === 'name' && typeof item === 'string' ? name(['event'], item) : walk(item),
      ]),
    );
  };
  return walk(value);
};
