/** Host and pid namespace of this machine. Events from another must never affect a local pane or pid. */
import { hostname } from 'node:os';
import type { Context } from '../contract/event.ts';
import { pidNamespace } from '../proc.ts';

const here = { host: hostname(), ns: pidNamespace() };

/** Removes host and namespace from the context if they are ours. An event from elsewhere always names its host. */
export const localise = (context: Context): Context => {
  const { host, ns, ...rest } = context;
  const foreign = (host && host !== here.host) || (ns && here.ns && ns !== here.ns);
  return foreign ? { ...rest, host: host || 'elsewhere', ...(ns && { ns }) } : rest;
};
