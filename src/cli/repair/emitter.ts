/** The emitter that hooks run: missing, or from another version. */
import { readFileSync } from 'node:fs';
import { emitterScript, installEmitter } from '../../hook/emitter.ts';
import { programFile } from '../../program-file.ts';
import { nodePath } from '../../platform/node-path.ts';
import { readPassedNames } from '../../config/passed-variables.ts';
import type { Paths } from '../../paths.ts';
import type { Repair } from './repair.ts';

export const emitterRepairs = (paths: Paths): Repair[] => {
  const script = textOf(paths.emit);
  if (script === emitterScript(nodePath(), programFile(), readPassedNames(paths.config))) return [];
  return [
    {
      name: 'emitter',
      says:
        script === null ? 'the script that hooks run is missing' : 'the script that hooks run is outdated',
      changes: [`write ${paths.emit}`],
      run: () => installEmitter(paths),
    },
  ];
};

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
