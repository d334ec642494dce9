/** A session as views see it, with whatever a test wants to be different. */
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
