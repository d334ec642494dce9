/** Formats rows in columns. */
import { pad, wide } from '../../client/text.ts';

/** Aligns the cells of all rows. The first row is the heading. */
export const columns = (rows: string[][]): string[] => {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, n) => Math.max(most[n] ?? 0, wide(cell))),
    [],
  );
  return rows.map(row =>
    row
      .map((cell, n) => pad(cell, widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
