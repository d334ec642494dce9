/** Which host and pid namespace this is; what comes from another must never touch a local pane or pid. */
import { hostname } from 'node:os';
import type { Context } from '../contract/event.ts';
import { pidNamespace } from '../proc.ts';

const here = { host: hostname(), ns: pidNamespace() };

/** The context without host and namespace where they are ours; an event from elsewhere always names its host. */
export const localise = (context: Context): Context => {
  const { host, ns, ...rest } = context;
  const foreign = (host && host !== here.host) || (ns && here.ns && ns !== here.ns);
  return foreign ? { ...rest, host: host || 'elsewhere', ...(ns && { ns }) } : rest;
};
