/** The settings of a run: no dialog that only a person can answer, and the caller's own, because the CLI takes one file. */
import { readFileSync } from 'node:fs';
import { PrintFailure } from '../failure.ts';
import type { Request } from '../request.ts';

export const runSettings = ({ settings, flags, holding }: Request): object =>
  withHooks(ownSettings(settings, flags), holding?.hooks ?? {});

/** Beside the caller's. */
const withHooks = (settings: { hooks?: Hooks }, added: Hooks): object => {
  const hooks = { ...settings.hooks };
  for (const [event, groups] of Object.entries(added)) hooks[event] = [...(hooks[event] ?? []), ...groups];
  return { ...settings, hooks };
};

type Hooks = Record<string, unknown[]>;

const ownSettings = (settings: string | null, flags: string[]): object => ({
  // Else 2.1.325 asks once, in the middle of a start, whether to try another renderer.
  tui: 'default',
  // The caller has said so by the flag; `claude -p` does not ask either.
  ...(flags.includes('--dangerously-skip-permissions') && { skipDangerousModePermissionPrompt: true }),
  ...(settings !== null && given(settings)),
});

/** A file or JSON text. */
const given = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new PrintFailure('internal_error', `--settings ${text}: ${(error as Error).message}`);
  }
  throw new PrintFailure('internal_error', `--settings ${text}: not a JSON object`);
};
