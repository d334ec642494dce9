/** Host and pid namespace of this machine. Events from another must never affect a local pane or pid. */
import { hostname } from 'node:os';
import type { Context } from '../contract/event.ts';
import { pidNamespace } from '../platform/processes.ts';

const here = { host: hostname(), ns: pidNamespace() };

/** The hostname of a Mac changes with the network, so both the one at the start and the current one are ours. */
const isOwnHost = (host: string): boolean => host === here.host || host === hostname();

/** Removes host and namespace from the context if they are ours. An event from elsewhere always names its host. */
export const withoutOwnHost = (context: Context): Context => {
  const { host, ns, ...rest } = context;
  const foreign = (host && !isOwnHost(host)) || (ns && here.ns && ns !== here.ns);
  return foreign ? { ...rest, host: host || 'elsewhere', ...(ns && { ns }) } : rest;
};
