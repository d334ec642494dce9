/** Finds everything that `drover doctor --fix` can repair, in the order in which it is repaired. */
import { DroverError } from '../../contract/error.ts';
import type { Call } from '../verb.ts';
import { emitterRepairs } from './emitter.ts';
import { hookRepairs } from './hooks.ts';
import { mcpScriptRepairs } from './mcp-script.ts';
import { permissionRepairs } from './permissions.ts';
import type { Repair } from './repair.ts';
import { searchIndexRepairs } from './search-index.ts';
import { staleFileRepairs } from './stale-files.ts';
import { tmuxRepairs } from './tmux.ts';

export const findRepairs = async (call: Call): Promise<Repair[]> => [
  ...permissionRepairs(call.paths),
  ...(await hookRepairs(call).catch(byHand)),
  ...emitterRepairs(call.paths),
  ...mcpScriptRepairs(call),
  ...(await tmuxRepairs(call)),
  ...(await staleFileRepairs(call.paths)),
  ...(await searchIndexRepairs(call.paths)),
];

/** Settings that cannot be read are not changed, and do not keep the rest from being repaired. */
const byHand = (error: unknown): Repair[] => {
  if (!(error instanceof DroverError)) throw error;
  const run = () => {
    throw error;
  };
  return [{ name: 'hooks', says: error.message, changes: [`nothing. ${error.hint}`], run }];
};
