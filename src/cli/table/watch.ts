/** Commands that show what sessions are doing. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const watchVerbs: Verb[] = [
  {
    name: 'board',
    args: '',
    summary: 'Show the live board; `drover` without a command does the same',
    options: {},
    details: `Waiting sessions come first. Enter opens the selected session, Tab the next one in the queue, ? lists the keys. Starts
the daemon if needed. Without a terminal it prints the list of \`drover ls\`.`,
    load: () => import('../verbs/board.ts'),
  },
  {
    name: 'ls',
    args: '',
    summary: 'List sessions, those waiting for you first',
    options: {
      all: { short: 'a', help: 'Include ended and headless sessions' },
      waiting: { short: 'w', help: 'Only waiting sessions' },
      watch: { help: 'Print the list again whenever it changes' },
      json,
    },
    daemon: true,
    load: () => import('../verbs/ls.ts'),
  },
  {
    name: 'show',
    args: '<session>',
    summary: 'Show one session and its open requests in full',
    options: { json },
    details: 'A session is a unique prefix of its id with at least 6 hex digits.',
    daemon: true,
    load: () => import('../verbs/show.ts'),
  },
  {
    name: 'explain',
    args: '<session>',
    summary: 'Explain why a session is in its current state',
    options: { json },
    daemon: true,
    load: () => import('../verbs/explain.ts'),
  },
  {
    name: 'open',
    args: '',
    summary: 'Open the page: board, requests and terminals in your browser',
    options: {
      print: { help: 'Print the address instead; it works once, within two minutes' },
      at: {
        value: '<url>',
        help: 'Address at which the browser reaches the daemon, e.g. through a tunnel',
      },
      json,
    },
    details: `Starts the daemon if needed. Prints the address if there is no browser. \`drover token rotate\` signs out all browsers.

  drover open
  drover open --print --at https://drover.example`,
    load: () => import('../verbs/open.ts'),
  },
  {
    name: 'events',
    args: '[session]',
    summary: 'Show the event log',
    options: {
      follow: { short: 'f', help: 'Keep printing new events' },
      after: { value: '<seq>', help: 'Start after this sequence number (0: from the beginning)' },
      last: { value: '<n>', short: 'n', help: 'Start with the newest n events (default 50)' },
      json: { help: 'Print one JSON object per line, including the payload' },
    },
    details: `A session is a unique prefix of its id with at least 6 hex digits.

  drover events -f
  drover events 23e30f82 --after 0 --json`,
    daemon: true,
    load: () => import('../verbs/events.ts'),
  },
  {
    name: 'timeline',
    args: '',
    summary: 'Show today as one bar per session: when it worked and waited',
    options: {
      hours: { value: '<n>', help: 'Number of hours to include instead of today' },
      json,
    },
    daemon: true,
    load: () => import('../verbs/timeline.ts'),
  },
  {
    name: 'stats',
    args: '',
    summary: 'Show how long sessions waited for you, by day, reason and project',
    options: {
      days: { value: '<n>', help: 'Number of days to include, with today (default 14)' },
      json,
    },
    details: 'A wait counts for the day it ended. Waits are kept for 400 days; `drover forget` removes them.',
    daemon: true,
    load: () => import('../verbs/stats.ts'),
  },
];
