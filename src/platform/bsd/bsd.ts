import type { Platform } from '../platform.ts';
import { bsdDesktop } from './desktop.ts';
import { bsdNetwork } from './network.ts';
import { bsdProcesses } from './processes.ts';

/** macOS and other BSDs: `ps` and launchd. */
export const bsd: Platform = {
  name: 'bsd',
  processes: bsdProcesses(),
  desktop: bsdDesktop,
  network: bsdNetwork,
};
