/** The settings of `drover setup --tmux`, if they were ever made: the line in tmux.conf, and the file that it sources. */
import { existsSync } from 'node:fs';
import { readRecord } from '../../hook/install/record.ts';
import { setupTmux, tmuxDiff } from '../setup/setup-tmux.ts';
import type { Call } from '../verb.ts';
import type { Repair } from './repair.ts';

export const tmuxRepairs = async (call: Call): Promise<Repair[]> => {
  const hasLine = readRecord(call.paths).tmuxConf !== undefined;
  if (!hasLine && !existsSync(call.paths.tmuxConf)) return [];
  const quiet: Call = { ...call, options: hasLine ? {} : { 'load-only': true }, out: () => {} };
  const diff = await tmuxDiff(quiet).catch(() => '');
  if (!diff) return [];
  return [
    {
      name: 'tmux',
      says: 'the settings of `drover setup --tmux` are incomplete or outdated',
      changes: [diff],
      run: async () => {
        if ((await setupTmux(quiet)) !== 0)
          throw new Error('a tmux server rejected them: `drover setup --tmux`');
      },
    },
  ];
};
