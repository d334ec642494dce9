/** Programs that stories of enrolment need: why they cannot run here, in a few words. With CI set they run, and fail. */
import { accessSync, constants } from 'node:fs';
import { findNatsServer } from '../../src/fleet/broker/nats-server.ts';

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const has = (isThere: boolean, name: string): string | undefined =>
  isThere || process.env.CI ? undefined : `${name} is not installed`;

/** Debian installs it where the PATH of a user does not look. */
export const sshdPath = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(isProgram);

export const noSshd = has(sshdPath !== undefined, 'sshd');

export const noNatsServer = has(
  await findNatsServer(process.env).then(
    () => true,
    () => false,
  ),
  'nats-server',
);
