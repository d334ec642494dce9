/** Classifies errors of SQLite by their result code. */

const codes = {
  busy: 5,
  locked: 6,
  corrupt: 11,
  full: 13,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  range: 25,
  notDatabase: 26,
};

/** SQLite's own texts for these codes: on Node 20 an error of `all` and `iterate` has no code. */
const texts: { [text: string]: number | undefined } = {
  'database disk image is malformed': codes.corrupt,
  'database or disk is full': codes.full,
  'file is not a database': codes.notDatabase,
};

/** Returns the primary result code of an error or its cause; null when it is not from SQLite. */
const codeOf = (error: unknown): number | null => {
  const { errcode, cause, code, message } = (error ?? {}) as Partial<Record<string, unknown>>;
  if (typeof errcode === 'number') return errcode & 0xff;
  if (code === 'ERR_SQLITE_ERROR') return texts[String(message)] ?? null;
  return cause === undefined ? null : codeOf(cause);
};

/** Whether the file is not a database or is corrupt. */
export const isDamage = (error: unknown): boolean =>
  [codes.corrupt, codes.notDatabase].includes(codeOf(error) ?? 0);

/** Whether another process has the lock. */
export const isLocked = (error: unknown): boolean => [codes.busy, codes.locked].includes(codeOf(error) ?? 0);

/** Whether the disk is full. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === codes.full;

/** Whether SQLite rejects the value, and will always reject it. Any other fault is temporary. */
export const isBadValue = (error: unknown): boolean => {
  const code = codeOf(error);
  if (code === null) return (error as { cause?: unknown } | null)?.cause instanceof TypeError;
  return [codes.tooBig, codes.constraint, codes.mismatch, codes.range].includes(code);
};

/** Whether SQLite failed for now: locked, full, or damaged and replaced since. */
export const isStoreFault = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_SQLITE_ERROR' && !isBadValue(error);
