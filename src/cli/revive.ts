/** A daemon that should be up is brought back before a command asks it: a reboot or a crash took it, nobody took it down. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { findDaemon, type Where } from '../client/find.ts';
import type { Paths } from '../paths.ts';
import type { Call } from './verb.ts';

/** Starts the daemon when nobody listens and a hook may start it too: from `setup` or `up` until `down`. */
export const revive = async ({ paths, env, err }: Call): Promise<void> => {
  if (!existsSync(paths.autostart) || (await isListening(paths))) return;
  err('starting the daemon …');
  const { ensureDaemon } = await import('../client/start.ts');
  await ensureDaemon(paths, env);
};

const isListening = async (paths: Paths): Promise<boolean> => {
  const where = whereIs(paths);
  if (!where) return false;
  const { socketPath, hostname, port } = where;
  const socket = socketPath ? connect(socketPath) : connect(Number(port), hostname);
  try {
    return await new Promise(resolve => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
};

const whereIs = (paths: Paths): Where | null => {
  try {
    return findDaemon(paths);
  } catch {
    return null;
  }
};
