/** A person allowed programs to type into an unmanaged session, or withdrew that. */
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';

export const drivenName = 'Driven';

/** Changes `session`, which is the fold's own copy. */
export const reduceDriven = (session: Session, { on }: Hook): void => {
  session.driven = on === true;
};
