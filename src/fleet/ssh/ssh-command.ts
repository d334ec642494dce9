/** Command lines of ssh. Destinations come from the person who enrolled the host, and never begin with a dash. */
import { quote } from '../../quote.ts';
import type { SshPlace } from '../membership.ts';

export type SshTarget = Pick<SshPlace, 'destination' | 'options'>;

/** Leads from a port of one machine to one of the other. */
export interface Tunnel {
  /** Which end it leads to. The other end is where ssh listens, on loopback. */
  leads: 'here' | 'there';
  /** On the loopback of the other machine. */
  there: number;
  /** Address and port here. */
  here: { address: string; port: number };
}

/** The arguments for ssh to run a command there. `isUnattended`: nobody can answer a question of ssh. */
export const sshArgs = (
  { destination, options }: SshTarget,
  command: string,
  { tunnel, isUnattended }: { tunnel?: Tunnel | null; isUnattended?: boolean } = {},
): string[] => [
  ...options,
  '-T',
  '-x',
  ...(isUnattended ? ['-o', 'BatchMode=yes'] : []),
  '-o',
  'ConnectTimeout=15',
  ...(tunnel ? tunnelArgs(tunnel) : []),
  '--',
  destination,
  command,
];

const tunnelArgs = ({ leads, there, here }: Tunnel): string[] => {
  const address = here.address.includes(':') ? `[${here.address}]` : here.address;
  const settings = [
    'ExitOnForwardFailure=yes',
    'ServerAliveInterval=10',
    'ServerAliveCountMax=2',
    // A shared connection would end with the others.
    'ControlMaster=no',
    'ControlPath=none',
  ];
  return [
    ...settings.flatMap(setting => ['-o', setting]),
    ...(leads === 'here'
      ? ['-R', `127.0.0.1:${there}:${address}:${here.port}`]
      : ['-L', `${address}:${here.port}:127.0.0.1:${there}`]),
  ];
};

/** Runs a command as a login shell with a terminal would: nvm and its like set PATH only there. */
export const asInLoginShell = (command: string): string => `exec "$SHELL" -lic ${quote(command)}`;

/** Runs drover there by absolute paths. */
export const droverCommand = (
  { node, main, home }: Pick<SshPlace, 'node' | 'main' | 'home'>,
  args: string[],
): string =>
  [
    ...(home === null ? [] : ['env', quote(`DROVER_HOME=${home}`)]),
    quote(node),
    quote(main),
    ...args.map(quote),
  ].join(' ');
