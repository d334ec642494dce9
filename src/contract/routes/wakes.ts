/** Agents that sessions wake. */
import { WakeList, WakeTest, TestWake } from '../wake.ts';
import { bodyErrors, accessErrors, sessionErrors, type Route } from './route.ts';

export const wakesRoutes = [
  {
    id: 'listWakes',
    method: 'GET',
    path: '/wakes',
    level: 'read',
    group: 'wakes',
    summary:
      'List the agents that sessions wake, problems in their entries, and the outcome of the newest wakes.',
    query: {
      last: 'at most this many wakes (default 50)',
      agent: 'only wakes of this agent',
      session: 'only wakes of this session (id or prefix)',
    },
    answer: WakeList,
    errors: [...accessErrors, 'bad_request', ...sessionErrors],
  },
  {
    id: 'testWake',
    method: 'POST',
    path: '/wakes/test',
    level: 'admin',
    audit: 'wake-test',
    group: 'wakes',
    summary: 'Check every step from a session to an agent, and send the agent a test message.',
    body: TestWake,
    answer: WakeTest,
    errors: [...accessErrors, ...bodyErrors, 'no_agent'],
  },
] as const satisfies Route[];
