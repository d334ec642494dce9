/** A person let programs type into a session that was not started through the hub, or took that back. */
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';

export const drivenName = 'Driven';

/** Writes it into the session, which is the fold's own copy. */
export const hearDriven = (session: Session, { on }: Hook): void => {
  session.driven = on === true;
};
