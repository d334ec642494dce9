/**
 * Sessions that were reported over HTTP. What a program reports lives under the program's own origin: its session id is
 * `<id>@<origin>`, so it never touches a session that is known from the local spool, from its file, or from another origin.
 */
import type { Event } from './event.ts';
import type { Session } from './session.ts';

/** The origin of events that the owner's token posts for a session whose hooks come through the spool. */
export const postOrigin = 'post';

/** Text as the name of an origin: safe in ids, URLs and on a screen. */
export const originName = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 64) || 'elsewhere';

/** The id under which events of an origin are kept. */
export const idFrom = (id: string, origin: string): string => `${id}@${origin}`;

/** The parts of an id: Claude's own, and the origin (null: seen on this machine). */
export const idParts = (id: string): { own: string; origin: string | null } => {
  const at = id.lastIndexOf('@');
  return at < 0 ? { own: id, origin: null } : { own: id.slice(0, at), origin: id.slice(at + 1) };
};

/** Not on this machine, or not known to be: its pane, process and files are out of reach. */
export const isElsewhere = ({ host, origin }: Pick<Session, 'host' | 'origin'>): boolean =>
  Boolean(host ?? origin);

/** Where a session runs that is elsewhere, as its reporter says; null for one on this machine. */
export const whereOf = ({ host, origin }: Pick<Session, 'host' | 'origin'>): string | null => host ?? origin;

/** Whether an event may change a session: what was seen here, and what each origin reports, stay apart. */
export const mayChange = ({ source, context }: Event, session: Session): boolean =>
  source === 'drover' || (context.origin ?? null) === session.origin;
