/** Asks every host of the fleet the same, this one first. Those that do not answer are named. */
import { DroverError } from '../contract/error.ts';
import type { FleetHost } from '../contract/fleet.ts';
import type { Paths } from '../paths.ts';
import { call } from './call.ts';
import { ago } from './text.ts';

export interface HostAnswer<Answer> {
  host: string;
  /** Null: it did not answer. */
  answer: Answer | null;
  /** Why not. */
  problem: string | null;
}

/** `ask` gets the name of another host, or undefined for this one. */
export const askHosts = async <Answer>(
  paths: Paths,
  ask: (host: string | undefined) => Promise<Answer>,
): Promise<HostAnswer<Answer>[]> => {
  const { isJoined, host: here, hosts } = await call(paths, 'readFleet');
  if (!isJoined || !here) throw new DroverError('not_joined');
  if (here.role === 'worker')
    throw new DroverError('refused', 'A worker sees no other host.', 'Run it on a seat of the fleet.');
  const others = hosts.filter(({ state }) => state !== 'here' && state !== 'revoked');
  const own = ask(undefined).then(answer => ({ host: here.name, answer, problem: null }));
  return Promise.all([own, ...others.map(other => askOne(other, ask))]);
};

const askOne = async <Answer>(
  { name, state, seenAt }: FleetHost,
  ask: (host: string) => Promise<Answer>,
): Promise<HostAnswer<Answer>> => {
  if (state !== 'online') {
    const problem = seenAt === null ? 'never seen' : `away ${ago(seenAt)}`;
    return { host: name, answer: null, problem };
  }
  try {
    return { host: name, answer: await ask(name), problem: null };
  } catch (error) {
    return { host: name, answer: null, problem: (error as Error).message };
  }
};

/** The hosts whose figures are missing; null when all have answered. */
export const missingText = (answers: HostAnswer<unknown>[]): string | null => {
  const missing = answers.filter(({ answer }) => answer === null);
  if (missing.length === 0) return null;
  return `Not included: ${missing.map(({ host, problem }) => `${host} (${problem})`).join(', ')}`;
};
