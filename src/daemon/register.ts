/** Registers the daemon on disk so that clients find it: daemon.json, and the pid for the emitter. */
import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Paths } from '../paths.ts';
import { isInContainer, startForEmitter } from '../platform/processes.ts';
import { writePrivate } from '../files/private-file.ts';

export interface Registration {
  pid: number;
  url: string;
  /** The Unix socket; null when there is none. */
  socket: string | null;
  version: string;
  startedAt: number;
}

export const register = (paths: Paths, registration: Registration): void => {
  writePrivate(paths.daemon, `${JSON.stringify(registration, null, 2)}\n`);
  // For the emitter, which cannot read JSON: the pid, its host, and its start time, which tells it from a later process. In a
  // container the host is left open: the pid means nothing outside, and an emitter must say where it is.
  const host = isInContainer() ? '-' : hostname();
  writePrivate(paths.pid, `${registration.pid} ${host} ${startForEmitter(registration.pid)}\n`);
};

/** Removes the registration, unless another daemon has replaced it. */
export const unregister = (paths: Paths): void => {
  const registered = registrationIn(paths);
  if (registered?.pid !== process.pid) return;
  for (const file of [paths.daemon, paths.pid, paths.socket, registered.socket])
    if (file) rmSync(file, { force: true });
};

const registrationIn = (paths: Paths): Registration | null => {
  try {
    return JSON.parse(readFileSync(paths.daemon, 'utf8')) as Registration;
  } catch {
    return null;
  }
};
