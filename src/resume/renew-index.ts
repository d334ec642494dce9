/** Checks the full-text index, and replaces one that is damaged while no daemon runs. */
import { existsSync } from 'node:fs';
import { SearchIndex, searchProblem } from '../store/search.ts';

/** Says why the index cannot be read; null when it can, or when there is none. */
export const indexProblem = async (file: string): Promise<string | null> =>
  existsSync(file) ? searchProblem(file) : null;

/** Leaves an empty index, which the next daemon fills. */
export const renewIndex = async (file: string): Promise<void> => {
  SearchIndex.delete(file);
  (await SearchIndex.open(file)).close();
};
