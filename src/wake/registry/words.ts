/** An agent's entry in words. */
import type { WakeAgent } from '../../contract/wake.ts';
import { destinationOf } from '../deliver/deliver.ts';
import { tmuxNameOf } from './registry-text.ts';

/** What it watches. */
export const watchesOf = ({ entry }: WakeAgent): string[] => {
  const name = tmuxNameOf(entry);
  return [
    ...(name === null ? [] : [`tmux session ${name}`]),
    ...(entry.project ? [`folder ${entry.project}`] : []),
    ...(entry.sessions ?? []).map(id => `session ${id}`),
    ...(entry.parent ? [`what ${entry.parent} starts`] : []),
    ...(entry.origins ?? []).map(origin => `what ${origin} reports`),
  ];
};

/** Where it is reached. */
export const deliversTo = (agent: WakeAgent): string | null => {
  const to = destinationOf(agent);
  if (!to) return null;
  if ('openclaw' in to) return `openclaw ${to.openclaw}`;
  if ('command' in to) return `command ${to.command.join(' ')}`;
  return 'webhook' in to ? `webhook ${to.webhook}` : `session ${to.session}`;
};
