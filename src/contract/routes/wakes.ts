/** Agents that sessions wake. */
import { WakeList, WakeTest, WakeTestWish } from '../wake.ts';
import { body, guard, named, type Route } from './route.ts';

export const wakesRoutes = [
  {
    id: 'listWakes',
    method: 'GET',
    path: '/wakes',
    level: 'read',
    group: 'wakes',
    summary:
      'Agents that sessions wake, what is wrong with their entries, and what became of the newest wakes.',
    query: {
      last: 'so many wakes at most (default 50)',
      agent: 'only of this agent',
      session: 'only of this session (id or prefix)',
    },
    answer: WakeList,
    errors: [...guard, 'bad_request', ...named],
  },
  {
    id: 'testWake',
    method: 'POST',
    path: '/wakes/test',
    level: 'admin',
    audit: 'wake-test',
    group: 'wakes',
    summary: 'Checks every link from a session to an agent, and sends it a message that says so.',
    body: WakeTestWish,
    answer: WakeTest,
    errors: [...guard, ...body, 'no_agent'],
  },
] as const satisfies Route[];
