/** Rights: what a token may do, and what each route requires. */

/** What a token can be given. `admin` includes all the others. */
export const rights = ['ingest', 'read', 'queue', 'answer', 'drive', 'admin'] as const;
export type Right = (typeof rights)[number];

/**
 * What a route requires. `open`: nothing. `person`: your own command or page; no token is enough. `local`: your own command,
 * over the Unix socket; the page is not enough either.
 */
export const levels = ['open', ...rights, 'person', 'local'] as const;
export type Level = (typeof levels)[number];

/** One sentence for each right, for help and docs. */
export const rightsHelp: Record<Right, string> = {
  ingest: 'post hook events',
  read: 'read sessions, events, transcripts and screens',
  queue: 'skip, snooze, dismiss and claim sessions in the queue',
  answer: 'answer permissions, questions and plans',
  drive: 'start, message, type into, interrupt and stop sessions',
  admin: 'all of these, and manage tokens, stored data and the daemon',
};
