/** Read the arguments that Drover started a session with, so that a resume uses the same settings, model and mode. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../paths.ts';

/** Return the arguments; empty for a session that Drover did not start or has forgotten. */
export const launchArguments = (paths: Paths, id: string): string[] => {
  try {
    const args: unknown = JSON.parse(readFileSync(join(paths.managed, id, 'resume.json'), 'utf8'));
    return Array.isArray(args) ? args.map(String) : [];
  } catch {
    return [];
  }
};
