/** Which machine and folder a membership belongs to, so that a copy of DROVER_HOME is recognised. */
import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Membership } from './membership.ts';

type Machine = Membership['machine'];

export const machineOf = (home: string): Machine => ({ id: machineId(), home: realpathSync(home) });

/** Whether the home is still where it was when this machine joined. */
export const isHomeOf = (joined: Machine, home: string): boolean => {
  const here = machineOf(home);
  return here.id === joined.id && here.home === joined.home;
};

/** Linux has an id of its installation; elsewhere the hostname has to do. */
const machineId = (): string => {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || hostname();
  } catch {
    return hostname();
  }
};
