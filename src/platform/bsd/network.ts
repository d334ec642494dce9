import type { Network } from '../platform.ts';

/** macOS: WireGuard runs in user space over a `utun` interface, which any VPN may use, so no interface counts as WireGuard. */
export const bsdNetwork: Network = { isWireGuard: name => /^wg\d+$/.test(name) };
