import { spawnSync } from 'node:child_process';
import type { Network } from '../platform.ts';

/** macOS: WireGuard runs in user space over a `utun` interface, which any VPN may use, so no interface counts as WireGuard. */
export const bsdNetwork: Network = {
  isWireGuard: name => /^wg\d+$/.test(name),
  // It lists the sockets of this user only, unless it runs as root.
  isOwnListener: port => {
    const found = spawnSync(
      'lsof',
      ['-nP', '-a', `-u${process.getuid?.()}`, `-iTCP:${port}`, '-sTCP:LISTEN', '-t'],
      {
        encoding: 'utf8',
        timeout: 5_000,
      },
    );
    return found.error ? null : found.stdout.trim() !== '';
  },
};
