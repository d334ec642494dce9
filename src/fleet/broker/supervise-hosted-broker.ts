/** Keeps the broker running that this machine runs for the admin of a fleet. */
import { existsSync, readFileSync } from 'node:fs';
import { limits } from '../../limits.ts';
import type { Env, Paths } from '../../paths.ts';
import { brokerFiles } from './broker-config.ts';
import { isStoppedByHand, startBroker } from './broker-process.ts';
import { placeOf, readHosted } from './hosted-broker.ts';

export interface HostedBrokerDeps {
  paths: Paths;
  env: Env;
  onError: (message: string, error: unknown) => void;
}

/** Starts the broker unless it was stopped by hand, and restarts it whenever it is gone, until the returned function is called. */
export const superviseHostedBroker = ({ paths, env, onError }: HostedBrokerDeps): (() => void) => {
  const folder = paths.hostedBroker;
  let isStarting = false;
  let failures = 0;
  const start = async (): Promise<void> => {
    const hosted = readHosted(paths);
    if (!hosted || isStarting || isStoppedByHand(folder)) return;
    isStarting = true;
    try {
      await startBroker(placeOf(paths, hosted), env);
      failures = 0;
    } catch (error) {
      // Report only the first failure: the start is tried again every few seconds.
      if (failures++ === 0) onError('The broker could not be started', error);
    } finally {
      isStarting = false;
    }
  };
  void start();
  const timer = setInterval(() => {
    if (existsSync(paths.hostedBrokerFile) && !isAlive(brokerFiles(folder).pid)) void start();
  }, limits.fleet.broker.check);
  timer.unref();
  return () => clearInterval(timer);
};

/** Whether a process has this pid. That is cheap, and the start has checked which process it is. */
const isAlive = (file: string): boolean => {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 1 && process.kill(pid, 0);
  } catch {
    return false;
  }
};
