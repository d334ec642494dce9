import { readFileSync } from 'node:fs';
import type { Network } from '../platform.ts';

/** Linux: /sys names the kind of each network interface. */
export const linuxNetwork: Network = {
  isWireGuard: name => {
    if (!/^[\w.-]+$/.test(name)) return false;
    try {
      return /^DEVTYPE=wireguard$/m.test(readFileSync(`/sys/class/net/${name}/uevent`, 'utf8'));
    } catch {
      return false;
    }
  },
};
