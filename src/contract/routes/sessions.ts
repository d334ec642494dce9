/** Sessions as they are, and what becomes of the past ones. */
import { Answer, Answered, SetApprovals } from '../answer.ts';
import {
  Explanation,
  IndexState,
  IndexWish,
  ResumeWish,
  Resumed,
  SessionList,
  SessionPage,
  SessionScreen,
} from '../api.ts';
import { GoWish, Went } from '../page.ts';
import { Session } from '../session.ts';
import { body, guard, named, type Route } from './route.ts';

export const sessionsRoutes = [
  {
    id: 'listSessions',
    method: 'GET',
    path: '/sessions',
    level: 'read',
    group: 'sessions',
    summary: 'Every known session with its state.',
    query: {
      state: 'only sessions in this state',
      live: '1: only sessions that have not ended',
      limit: 'at most so many, those that were heard of last',
      q: 'only sessions that said this, also those that Drover has not seen live; needs the search index',
    },
    answer: SessionList,
    errors: [...guard, 'bad_request', 'refused'],
  },
  {
    id: 'resumeSession',
    method: 'POST',
    path: '/sessions/:id/resume',
    level: 'drive',
    group: 'sessions',
    summary:
      "Takes a session up again in a new tmux window, in its own directory; asked for by a program it is the hub's from then on. One that is live is refused.",
    body: ResumeWish,
    answer: Resumed,
    errors: [...guard, ...body, ...named, 'refused', 'failed'],
  },
  {
    id: 'readIndex',
    method: 'GET',
    path: '/index',
    level: 'read',
    group: 'sessions',
    summary: 'Whether the search index is on, and how far it is.',
    answer: IndexState,
    errors: guard,
  },
  {
    id: 'setIndex',
    method: 'POST',
    path: '/index',
    level: 'admin',
    group: 'sessions',
    summary: 'Turns the search index on, or off with all that is in it.',
    body: IndexWish,
    answer: IndexState,
    errors: [...guard, ...body],
  },
  {
    id: 'readSession',
    method: 'GET',
    path: '/sessions/:id',
    level: 'read',
    group: 'sessions',
    summary:
      'One session, with the request that waits for an answer in full, and the sessions that it came from and that came from it.',
    answer: SessionPage,
    errors: [...guard, ...named],
  },
  {
    id: 'explainSession',
    method: 'GET',
    path: '/sessions/:id/explain',
    level: 'read',
    group: 'sessions',
    summary: 'The chain of evidence that led to the state of a session.',
    answer: Explanation,
    errors: [...guard, ...named],
  },
  {
    id: 'answerSession',
    method: 'POST',
    path: '/sessions/:id/answer',
    level: 'answer',
    group: 'sessions',
    summary:
      'Answers a held permission, question or plan. Whoever answers first wins, here or in the terminal.',
    body: Answer,
    answer: Answered,
    errors: [...guard, ...body, ...named, 'refused'],
  },
  {
    id: 'setApprovals',
    method: 'POST',
    path: '/sessions/:id/approvals',
    level: 'answer',
    group: 'sessions',
    summary:
      'Lets the requests of a session wait for an answer through Drover too, or leaves them to its terminal. A token may hold only sessions of the hub, and those that it may drive.',
    body: SetApprovals,
    answer: Session,
    errors: [...guard, ...body, ...named, 'refused'],
  },
  {
    id: 'readScreen',
    method: 'GET',
    path: '/sessions/:id/screen',
    level: 'read',
    group: 'sessions',
    summary: 'What the pane of a session shows now.',
    answer: SessionScreen,
    errors: [...guard, ...named],
  },
  {
    id: 'goToSession',
    method: 'POST',
    path: '/sessions/:id/go',
    level: 'drive',
    group: 'sessions',
    summary:
      'Moves a tmux client to the pane of a session: the named one, or the only one. Otherwise nobody is moved.',
    body: GoWish,
    answer: Went,
    errors: [...guard, ...body, ...named, 'refused', 'failed'],
  },
] as const satisfies Route[];
