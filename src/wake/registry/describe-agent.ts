/** Describe an agent's entry for people. */
import type { WakeAgent } from '../../contract/wake.ts';
import { destinationOf } from '../deliver/deliver.ts';
import { tmuxNameOf } from './parse-registry.ts';

export const describeWatched = ({ entry }: WakeAgent): string[] => {
  const name = tmuxNameOf(entry);
  return [
    ...(name === null ? [] : [`tmux session ${name}`]),
    ...(entry.project ? [`folder ${entry.project}`] : []),
    ...(entry.sessions ?? []).map(id => `session ${id}`),
    ...(entry.parent ? [`what ${entry.parent} starts`] : []),
    ...(entry.origins ?? []).map(origin => `what ${origin} reports`),
  ];
};

export const describeDestination = (agent: WakeAgent): string | null => {
  const to = destinationOf(agent);
  if (!to) return null;
  if ('openclaw' in to) return `openclaw ${to.openclaw}`;
  if ('command' in to) return `command ${to.command.join(' ')}`;
  return 'webhook' in to ? `webhook ${to.webhook}` : `session ${to.session}`;
};
