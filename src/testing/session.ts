/** Builds a session with default values, except those that a test gives. */
import type { Session } from '../contract/session.ts';
import { unknownSession } from '../contract/unknown-session.ts';

export const aSession = (more: Partial<Session> = {}): Session => ({
  ...unknownSession('aaaaaaaa-0000-4000-8000-000000000001', {
    source: 'hook',
    name: 'SessionStart',
    seq: 1,
    at: 0,
  }),
  ...more,
});
