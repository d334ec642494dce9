/** The machine that a person named, with options for ssh. */
import { resolve } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { SshPlace } from '../../fleet/membership.ts';
import type { SshTarget } from '../../fleet/ssh/ssh-command.ts';
import { type Call, list, text } from '../verb.ts';

export const targetFrom = (call: Call, destination: string | undefined, port: number | null): SshTarget => {
  if (!destination)
    throw new DroverError(
      'usage',
      'drover fleet add: which machine? Give user@host.',
      'See `drover fleet --help`.',
    );
  if (!SshPlace.shape.destination.safeParse(destination).success)
    throw new DroverError(
      'usage',
      `${JSON.stringify(destination)} is not an SSH destination.`,
      'Give user@host, or a name of your SSH config.',
    );
  const config = text(call, 'ssh-config');
  return {
    destination,
    options: [
      // The daemon, which runs ssh later, has another working directory. `none` reads no file.
      ...(config === undefined ? [] : ['-F', config === 'none' ? config : resolve(call.cwd, config)]),
      ...(port === null ? [] : ['-p', String(port)]),
      ...list(call, 'ssh-option').flatMap(option => ['-o', option]),
    ],
  };
};
