/** Tokens and cost. */
import { Usage } from '../usage.ts';
import { accessErrors, type Route } from './route.ts';

export const usageRoutes = [
  {
    id: 'usage',
    method: 'GET',
    path: '/usage',
    level: 'read',
    remote: 'session',
    group: 'sessions',
    summary: 'Read tokens and API-equivalent cost, from all transcripts.',
    query: {
      by: 'group by `day` (default), `project`, `session` or `model`',
      split: 'a second dimension, with the same values; each row then has a `part`',
      since: 'only messages since this time (ms since the epoch)',
      session: 'only this session; its complete id',
      host: 'usage of this host of the fleet (name or id)',
    },
    answer: Usage,
    errors: [...accessErrors, 'bad_request', 'no_host', 'failed'],
  },
] as const satisfies Route[];
