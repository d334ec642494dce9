/** Names of hosts: labels, unique in the fleet. */
import { hostname } from 'node:os';

/** `host:local` means this machine, on every machine. */
export const ownMachine = 'local';

/** This machine's hostname without its domain, reduced to the allowed characters. */
export const ownName = (): string => asName(hostname().split('.')[0] ?? '');

export const asName = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60) || 'host';

/** The name, with a number added if it is taken. */
export const uniqueName = (wanted: string, taken: ReadonlySet<string>): string => {
  const name = asName(wanted);
  let unique = name;
  for (let number = 2; taken.has(unique); number++) unique = `${name.slice(0, 56)}-${number}`;
  return unique;
};
