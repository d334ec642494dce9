/** What a session of the hub was started with, and is to have again when it is taken up: its settings, its model, its mode. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../paths.ts';

/** Arguments for the CLI; none for a session that the hub did not start, or that was forgotten. */
export const launchedWith = (paths: Paths, id: string): string[] => {
  try {
    const words: unknown = JSON.parse(readFileSync(join(paths.managed, id, 'resume.json'), 'utf8'));
    return Array.isArray(words) ? words.map(String) : [];
  } catch {
    return [];
  }
};
