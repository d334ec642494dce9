/** Who waits, and how long they did. */
import { Claim, Next, Queue, QueueItem, Snooze } from '../queue.ts';
import { Stats } from '../stats.ts';
import { Timeline } from '../timeline.ts';
import { body, guard, named, type Route } from './route.ts';

export const queueRoutes = [
  {
    id: 'readQueue',
    method: 'GET',
    path: '/queue',
    group: 'queue',
    summary: 'The waiting sessions in order, with those that are passed over for now.',
    answer: Queue,
    errors: guard,
  },
  {
    id: 'nextInQueue',
    method: 'POST',
    path: '/queue/next',
    group: 'queue',
    summary: 'The session to go to now. Nobody else gets it within 30 s.',
    body: Claim,
    answer: Next,
    errors: [...guard, ...body],
  },
  {
    id: 'skipSession',
    method: 'POST',
    path: '/queue/:id/skip',
    group: 'queue',
    summary: 'Puts a session to the tail and passes it over for 30 s.',
    answer: QueueItem,
    errors: [...guard, ...named, 'refused'],
  },
  {
    id: 'snoozeSession',
    method: 'POST',
    path: '/queue/:id/snooze',
    group: 'queue',
    summary: 'Passes a session over for some time; it keeps its place.',
    body: Snooze,
    answer: QueueItem,
    errors: [...guard, ...body, ...named, 'refused'],
  },
  {
    id: 'dismissSession',
    method: 'POST',
    path: '/queue/:id/dismiss',
    group: 'queue',
    summary: 'Passes a session over until its state changes.',
    answer: QueueItem,
    errors: [...guard, ...named, 'refused'],
  },
  {
    id: 'stats',
    method: 'GET',
    path: '/stats',
    group: 'queue',
    summary: 'How long humans kept their sessions waiting.',
    query: { days: 'days back, today included (14 unless told)' },
    answer: Stats,
    errors: [...guard, 'bad_request'],
  },
  {
    id: 'timeline',
    method: 'GET',
    path: '/timeline',
    group: 'queue',
    summary: 'Who was in which state, and when.',
    query: { hours: 'so many hours back, up to now; without it since midnight' },
    answer: Timeline,
    errors: [...guard, 'bad_request'],
  },
] as const satisfies Route[];
