import type { Platform } from '../platform.ts';
import { linuxDesktop } from './desktop.ts';
import { linuxNetwork } from './network.ts';
import { linuxProcesses } from './processes.ts';

/** Linux: /proc and systemd. */
export const linux: Platform = {
  name: 'linux',
  processes: linuxProcesses,
  desktop: linuxDesktop,
  network: linuxNetwork,
};
