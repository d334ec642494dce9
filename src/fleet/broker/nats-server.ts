/** Finds the nats-server program. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DroverError } from '../../contract/error.ts';
import type { Env } from '../../paths.ts';
import { withProgramFolders } from '../../platform/program-folders.ts';

export interface BrokerProgram {
  path: string;
  version: string;
}

/** Debian installs servers in folders that are not on a user's PATH. */
const serverFolders = ['/usr/local/bin', '/usr/local/sbin', '/usr/sbin'];

/** Finds nats-server; throws `no_nats_server` when there is none. `known`: where it was before. */
export const findNatsServer = async (
  { PATH }: Env,
  known?: string,
  usual = serverFolders,
): Promise<BrokerProgram> => {
  const folders = [...(withProgramFolders(PATH) ?? '').split(delimiter), ...usual];
  const found = folders.filter(folder => folder.startsWith('/')).map(folder => join(folder, 'nats-server'));
  const path = [...(known === undefined ? [] : [known]), ...found].find(isExecutable);
  if (path === undefined) throw new DroverError('no_nats_server');
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000, env: {} });
  const version = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  if (version === undefined)
    throw new DroverError('no_nats_server', `${path} --version printed ${JSON.stringify(stdout.trim())}.`);
  return { path, version };
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
