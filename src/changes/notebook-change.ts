/** The change of one cell of a notebook. */
import { comparedPatch } from './compared-patch.ts';
import { limits } from '../limits.ts';

type Fields = Record<string, unknown>;

/** Compares the old source of the cell, from the notebook before the change, with the new one. Null: nothing was changed. */
export const notebookChange = (input: Fields, result: Fields) => {
  if (typeof result.error === 'string' && result.error !== '') return null;
  const mode = result.edit_mode ?? input.edit_mode ?? 'replace';
  const cell = result.cell_id ?? input.cell_id;
  const fresh = mode === 'delete' ? '' : (textOf(result.new_source) ?? textOf(input.new_source) ?? '');
  const before = mode === 'insert' ? '' : sourceOf(textOf(result.original_file), cell);
  if (before === null || before.length + fresh.length > limits.changes.compareBytes)
    return { isNew: false, added: linesIn(fresh), removed: 0, patch: null, isCut: true };
  return { isNew: false, ...comparedPatch(before, fresh) };
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const linesIn = (text: string): number => (text === '' ? 0 : text.split('\n').length);

/** The source of a cell by its id, or by its place where it has none; null when it is not found. */
const sourceOf = (notebook: string | null, cell: unknown): string | null => {
  if (notebook === null || notebook.length > limits.changes.notebookBytes) return null;
  try {
    const { cells } = JSON.parse(notebook) as { cells?: { id?: unknown; source?: unknown }[] };
    const place =
      typeof cell === 'string' ? Number(/^cell-(\d+)$/.exec(cell)?.[1] ?? Number.NaN) : Number.NaN;
    const found = cells?.find(one => one.id === cell) ?? cells?.[place];
    const source = found?.source;
    return Array.isArray(source) ? source.join('') : textOf(source);
  } catch {
    return null;
  }
};
