/** Who makes a request: decided once per request, checked against the route's level, and recorded with every action. */
import type { Level, Right } from './rights.ts';

export const callerKinds = [
  /** Over the Unix socket: a command, the board, a waiting hook, or another program of the user. */
  'cli',
  'board',
  'hook',
  'socket',
  /** Over TCP: a token by its name, or a signed-in browser. */
  'token',
  'page',
  /** Over TCP with the key of a notification that another service showed, such as `ntfy`. */
  'notification',
  /** Another machine of the fleet, with the rights that this one gave it. */
  'host',
  /** Inside the daemon: an agent of the wake registry, or a key pressed in tmux. */
  'agent',
  'tmux',
  /** Over TCP from this machine without a token, where the config lets such callers post events. */
  'unverified',
  /** Over TCP without token or cookie, on an open route. */
  'anonymous',
] as const;
/** Callers that are not the user: they have a share of what is kept, and what they repeat is counted. */
export const programKinds: readonly CallerKind[] = ['token', 'unverified', 'notification', 'host'];

export type CallerKind = (typeof callerKinds)[number];

export interface Caller {
  kind: CallerKind;
  /** The token, the agent, or the browser. */
  name: string | null;
  /** The Claude Code session that the request came from, if it came from inside one. */
  session: string | null;
  /** What a token may do; nobody else needs a right. */
  rights: readonly Right[];
}

/** The header with which a command names itself on the Unix socket; ignored on TCP. */
export const clientHeader = 'X-Drover-Client';
export type Surface = Extract<CallerKind, 'cli' | 'board' | 'hook' | 'socket'>;
export const surfaces: readonly string[] = ['cli', 'board', 'hook'] satisfies Surface[];

/** The name of the token in DROVER_HOME/token. */
export const ownerName = 'owner';

/** The user: over the Unix socket, or with a browser that a command of the user signed in. */
export const isPerson = ({ kind }: Caller): boolean =>
  kind === 'cli' || kind === 'board' || kind === 'hook' || kind === 'socket' || kind === 'page';

/** A person who acts on a session that they see: on the board or on the page. Commands are also run by scripts and agents. */
export const isByHand = ({ kind, session }: Caller): boolean =>
  (kind === 'board' || kind === 'page') && session === null;

/** Whether a caller may use a route of this level. */
export const mayUse = (caller: Caller, level: Level): boolean => {
  if (level === 'local') return isPerson(caller) && caller.kind !== 'page';
  if (level === 'open' || isPerson(caller)) return true;
  if (level === 'person') return false;
  return caller.rights.includes(level) || caller.rights.includes('admin');
};

/** Finds the requests of one token. */
export const isToken =
  (wanted: string) =>
  ({ kind, name }: Caller): boolean =>
    kind === 'token' && name === wanted;
