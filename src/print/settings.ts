/** The caller's own `--settings`, a file or JSON text: merged with the run's, because the CLI takes only the last one. */
import { readFileSync } from 'node:fs';
import { PrintFailure } from './failure.ts';

export const readSettings = (given: string | null): object => {
  if (given === null) return {};
  try {
    const value: unknown = JSON.parse(
      given.trimStart().startsWith('{') ? given : readFileSync(given, 'utf8'),
    );
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new PrintFailure('internal_error', `--settings ${given}: ${(error as Error).message}`);
  }
  throw new PrintFailure('internal_error', `--settings ${given}: not a JSON object`);
};
