/** What kind of fault an error of SQLite is, by its result code. */

const codes = { corrupt: 11, full: 13, tooBig: 18, constraint: 19, mismatch: 20, range: 25, notDatabase: 26 };

/** SQLite's own texts for these codes: on Node 20 an error of `all` and `iterate` has no code. */
const texts: { [text: string]: number | undefined } = {
  'database disk image is malformed': codes.corrupt,
  'database or disk is full': codes.full,
  'file is not a database': codes.notDatabase,
};

/** The primary result code of an error or of its cause; null when it is not from SQLite. */
const codeOf = (error: unknown): number | null => {
  const { errcode, cause, code, message } = (error ?? {}) as Partial<Record<string, unknown>>;
  if (typeof errcode === 'number') return errcode & 0xff;
  if (code === 'ERR_SQLITE_ERROR') return texts[String(message)] ?? null;
  return cause === undefined ? null : codeOf(cause);
};

/** The file is not a database, or its pages contradict each other. */
export const isDamage = (error: unknown): boolean =>
  [codes.corrupt, codes.notDatabase].includes(codeOf(error) ?? 0);

/** There is no room on the disk. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === codes.full;

/** SQLite rejects what it was given, and will reject it again. Any other fault may pass. */
export const isBadValue = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === null) return (error as { cause?: unknown } | null)?.cause instanceof TypeError;
  return [codes.tooBig, codes.constraint, codes.mismatch, codes.range].includes(code);
};

/** SQLite could not do it this time: locked, full, or damaged and replaced by now. */
export const isStoreFault = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_SQLITE_ERROR' && !isBadValue(error);
