/** Which machine and folder a membership belongs to, so that a copy of DROVER_HOME is recognised. */
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { earlierMachineId, machineId } from '../platform/processes.ts';
import type { Membership } from './membership.ts';

type Machine = Membership['machine'];

export const machineOf = (home: string): Machine => ({
  // The host name of a laptop may follow the network, so it is the last resort.
  id: machineId() || hostname(),
  home: realpathSync(home),
});

/** Whether the home is still where it was when this machine joined. */
export const isHomeOf = (joined: Machine, home: string): boolean => {
  const here = machineOf(home);
  return here.home === joined.home && (here.id === joined.id || isEarlierId(joined.id));
};

/** A Mac that joined with an earlier version has its host name or the id of its kernel there. */
const isEarlierId = (id: string): boolean => id !== '' && (id === hostname() || id === earlierMachineId());
