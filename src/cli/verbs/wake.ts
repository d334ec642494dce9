/** `drover wake`: manages the agents that sessions wake. Edits config.json, which the daemon watches. */
import { resolve } from 'node:path';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { printChecks } from '../output/print-checks.ts';
import { hookChecks } from '../setup/checks.ts';
import { agentChecks } from '../setup/wake-checks.ts';
import { type Call, flag } from '../verb.ts';
import { add, enable, remove } from '../wake/edit-agents.ts';
import { listAgents, listWakes } from '../wake/list-wakes.ts';
import { follow, importFile, unfollow } from '../wake/registries.ts';

export const run = async (call: Call): Promise<number> => {
  const [what = 'ls', name] = call.args;
  switch (what) {
    case 'ls':
      return listAgents(call);
    case 'log':
      return listWakes(call);
    case 'import':
      return importFile(call, requiredArg(call, name, 'file'));
    case 'follow':
      return follow(call, resolve(call.cwd, requiredArg(call, name, 'file')));
    case 'unfollow':
      return unfollow(call, resolve(call.cwd, requiredArg(call, name, 'file')));
    case 'add':
      return add(call, requiredArg(call, name, 'agent'));
    case 'rm':
      return remove(call, requiredArg(call, name, 'agent'));
    case 'pause':
    case 'resume':
      return enable(call, requiredArg(call, name, 'agent'), what === 'resume');
    case 'test':
      return test(call, requiredArg(call, name, 'agent'));
    default:
      throw new DroverError(
        'usage',
        `drover wake: unknown action ${JSON.stringify(what)}.`,
        'See `drover wake --help`.',
      );
  }
};

const requiredArg = (call: Call, arg: string | undefined, what: string): string => {
  if (!arg)
    throw new DroverError(
      'usage',
      `drover wake ${call.args[0]}: the ${what} is missing.`,
      'See `drover wake --help`.',
    );
  return arg;
};

const test = async (call: Call, id: string): Promise<number> => {
  await ensureDaemon(call.paths, call.env);
  return printChecks(call, [
    ...(await hookChecks(call)),
    ...(await agentChecks(call, id, !flag(call, 'dry-run'))),
  ]);
};
