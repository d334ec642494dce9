import type { Network } from '../platform.ts';

/** macOS: WireGuard runs in user space over a `utun` interface, which any VPN may be, so none is believed. */
export const bsdNetwork: Network = { isWireGuard: name => /^wg\d+$/.test(name) };
