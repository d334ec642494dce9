/**
 * Sessions that were reported over HTTP. A session that a program reports has the program's origin: its id is
 * `<id>@<origin>`, so it never touches a session that is known from the local spool, from its file, or from another origin.
 */
import type { Event } from './event.ts';
import type { Session } from './session.ts';
import { shortId } from './short-id.ts';

/** The origin of events that the owner's token posts for a session whose hooks come through the spool. */
export const postOrigin = 'post';

/** The origin of events that came without a token, where the config allows that. */
export const unverifiedOrigin = 'unverified';

/** Names that no token may have, because they are origins of their own. */
export const reservedOrigins: readonly string[] = [postOrigin, unverifiedOrigin];

/** Turns text into the name of an origin: safe in ids, URLs and on a screen. */
export const originName = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 64) || 'elsewhere';

/** Returns the id under which events of an origin are stored. */
export const idFrom = (id: string, origin: string): string => `${id}@${origin}`;

/** Splits an id into Claude's own and the origin (null: seen on this machine). */
export const idParts = (id: string): { own: string; origin: string | null } => {
  const at = id.lastIndexOf('@');
  return at < 0 ? { own: id, origin: null } : { own: id.slice(0, at), origin: id.slice(at + 1) };
};

/** The short id of a session as a person types it: with its host, where it has one. */
export const shortAddress = (id: string): string => {
  const { own, origin } = idParts(id);
  return origin === null ? shortId(own) : idFrom(shortId(own), origin);
};

/** Whether a session is not known to run on this machine: its pane, process and files are out of reach. */
export const isRemote = ({ host, origin }: Pick<Session, 'host' | 'origin'>): boolean =>
  Boolean(host ?? origin);

/** Returns where a session runs, as its reporter says; null for one on this machine. */
export const whereOf = ({ host, origin }: Pick<Session, 'host' | 'origin'>): string | null => host ?? origin;

/** Whether an event may change a session: local sessions and those of each origin are separate. */
export const mayChange = ({ source, context }: Event, session: Session): boolean =>
  source === 'drover' || (context.origin ?? null) === session.origin;
