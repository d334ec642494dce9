/** Read the arguments that a session is resumed with, so that it gets the same settings, model and mode. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parkedArgumentsFile, type Paths } from '../paths.ts';

/**
 * Return the arguments; empty for a session that Drover neither started nor parked. Those of a parked session are from its
 * command line, which has what Drover started it with and more.
 */
export const launchArguments = (paths: Paths, id: string): string[] =>
  readArguments(join(paths.managed, id, parkedArgumentsFile)) ??
  readArguments(join(paths.managed, id, 'resume.json')) ??
  [];

const readArguments = (file: string): string[] | null => {
  try {
    const args: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(args) ? args.map(String) : null;
  } catch {
    return null;
  }
};
