/**
 * The command that opens a session of another host over SSH. It consists of what this machine stored when it enrolled the host,
 * and of the session's id. Nothing else that the other host publishes becomes part of it.
 */
import { DroverError } from '../../contract/error.ts';
import { quote } from '../../quote.ts';
import type { SshPlace } from '../membership.ts';

/** Returns the arguments for `ssh`. */
export const sshArguments = (
  {
    destination,
    options,
    node,
    main,
    home,
  }: Pick<SshPlace, 'destination' | 'options' | 'node' | 'main' | 'home'>,
  id: string,
): string[] => {
  if (!/^[A-Za-z0-9_-]+$/.test(id))
    throw new DroverError('bad_id', `${JSON.stringify(id)} is not a session id.`);
  if (destination.startsWith('-') || !/^[A-Za-z0-9_.@-]+$/.test(destination))
    throw new DroverError('bad_fleet', `${JSON.stringify(destination)} is not an SSH destination.`);
  const setHome = home === null ? [] : ['env', `DROVER_HOME=${quote(checkedPath(home))}`];
  const program = [node, main].map(path => quote(checkedPath(path)));
  const remote = [...setHome, ...program, 'go', id, '--attach'].join(' ');
  return ['-t', ...options, '--', destination, remote];
};

/** Accepts only characters that every shell leaves alone between quotes. */
const checkedPath = (path: string): string => {
  if (/^\/[\p{L}\p{N}_./@+,:=~ -]*$/u.test(path)) return path;
  throw new DroverError('bad_fleet', `${JSON.stringify(path)} is not a path that can be run over SSH.`);
};
