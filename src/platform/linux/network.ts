import { readFileSync } from 'node:fs';
import type { Network } from '../platform.ts';

/** Linux: /sys names the kind of each network interface, /proc the user of each socket. */
export const linuxNetwork: Network = {
  isWireGuard: name => {
    if (!/^[\w.-]+$/.test(name)) return false;
    try {
      return /^DEVTYPE=wireguard$/m.test(readFileSync(`/sys/class/net/${name}/uevent`, 'utf8'));
    } catch {
      return false;
    }
  },
  isOwnListener: port => {
    const users = ['tcp', 'tcp6'].flatMap(table => listenersIn(tableText(table), port));
    return users.length === 0 ? null : users.every(user => user === process.getuid?.());
  },
};

const tableText = (name: string): string => {
  try {
    return readFileSync(`/proc/net/${name}`, 'latin1');
  } catch {
    return '';
  }
};

/** Return the users of the sockets that listen on a port, from the text of /proc/net/tcp. */
export const listenersIn = (table: string, port: number): number[] =>
  table
    .split('\n')
    .slice(1)
    .flatMap(row => {
      const [, local = '', , state, , , , user] = row.trim().split(/\s+/);
      const isOn = state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port;
      return isOn ? [Number(user)] : [];
    });

/** `TCP_LISTEN` of the kernel. */
const listening = '0A';
