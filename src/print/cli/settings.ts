/** The settings of a run. They avoid every dialog that only a person could answer. */
import { addHooks, readSettings, type Settings } from '../../driver/launch/settings.ts';
import { PrintFailure } from '../failure.ts';
import type { Request } from '../request.ts';

export const runSettings = (request: Request): Settings =>
  addHooks({ ...ownSettings(request), ...callerSettings(request) }, request.holding?.hooks ?? {});

const ownSettings = ({ flags }: Request): object => ({
  // Otherwise 2.1.325 asks once, while it starts, whether to try another renderer.
  tui: 'default',
  // The caller has accepted the risk by the flag; `claude -p` does not ask either.
  ...(flags.includes('--dangerously-skip-permissions') && { skipDangerousModePermissionPrompt: true }),
});

const callerSettings = ({ settings, cwd }: Request): Settings => {
  if (settings === null) return {};
  try {
    return readSettings(settings, cwd);
  } catch (error) {
    throw new PrintFailure('internal_error', `--settings ${settings}: ${(error as Error).message}`);
  }
};
