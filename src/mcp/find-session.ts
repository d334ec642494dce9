/** Finds the session that a tool call names. */
import { DroverError } from '../contract/error.ts';
import { shortAddress } from '../contract/origin.ts';
import type { Session } from '../contract/session.ts';
import { refuseOwn } from './own-session.ts';
import type { ToolDeps } from './tool.ts';

/** Finds it by id, prefix or words: a live one first, then any. Throws when none or several match. */
export const findSession = async (name: string, { daemon }: Pick<ToolDeps, 'daemon'>): Promise<Session> => {
  const named = async (live: 1 | undefined) =>
    (await daemon.call('listSessions', { query: { match: name, live } })).sessions;
  const live = await named(1);
  const found = live.length > 0 ? live : await named(undefined);
  const exact = found.find(({ id }) => id === name) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact;
  if (found.length === 0) throw new DroverError('no_session', `No session matches ${JSON.stringify(name)}.`);
  throw new DroverError(
    'ambiguous',
    `${found.length} sessions match ${JSON.stringify(name)}: ${found.slice(0, 8).map(describe).join(', ')}.`,
    'Name one by its id.',
  );
};

/** Finds a session to act on; throws when it is the one that this server runs in. */
export const findOther = async (name: string, deps: ToolDeps): Promise<Session> => {
  const session = await findSession(name, deps);
  await refuseOwn(deps.own(), session, deps.daemon);
  return session;
};

const describe = ({ id, title }: Session): string => `${shortAddress(id)} (${title ?? 'untitled'})`;
