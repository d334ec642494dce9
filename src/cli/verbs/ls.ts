/** `drover ls`: lists sessions, waiting ones first. */
import { existsSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { hasHosts, isStale, unreachableText } from '../../client/fleet-text.ts';
import { pathOf } from '../../client/route-call.ts';
import { follow } from '../../client/stream.ts';
import type { QueueItem } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { isRemote } from '../../contract/origin.ts';
import { placeText, terminalPlaceOf } from '../../terminal-place.ts';
import { passesFilter } from '../../session/queue/filter.ts';
import { line, silentText } from '../output/format.ts';
import { type PlaceOf, table } from '../output/table.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const list = async (): Promise<Session[]> => {
    const scope = flag(call, 'local') ? 'local' : undefined;
    const query = flag(call, 'waiting') ? { state: 'waiting' } : flag(call, 'all') ? {} : { live: 1 };
    const [{ sessions }, { items }] = await Promise.all([
      ask(call.paths, 'listSessions', { query: { ...query, scope } }),
      // In the order of the config, which the daemon knows.
      ask(call.paths, 'readQueue', { query: { scope } }),
    ]);
    const filter = call.args.join(' ');
    return sessions
      .filter(session => flag(call, 'all') || !session.headless)
      .filter(session => passesFilter(session, filter))
      .sort(byNeed(items));
  };
  const print = async (sessions: Session[]): Promise<void> => {
    if (flag(call, 'json')) call.out(JSON.stringify({ sessions }));
    else
      for (const { text, colour } of table(sessions, width(), Date.now(), call.args.length > 0, placeOf))
        call.out(text, hasColours(call) ? colour : 0);
    const silent = sessions.filter(({ hooks, state }) => hooks === 'silent' && state !== 'ended').length;
    if (silent > 0 && !flag(call, 'json')) call.out(silentText(silent));
    const away = flag(call, 'json') || flag(call, 'local') ? null : await unreachable(call, sessions);
    if (away !== null) call.out(line(away, width()));
  };
  await print(await list());
  if (!flag(call, 'watch')) return 0;
  for await (const frame of follow(call.paths, pathOf('followAll'))) {
    if (frame.event !== 'state') continue;
    if (call.tty) process.stdout.write('\x1b[H\x1b[2J');
    await print(await list());
  }
  return 0;
};

/** Says that the other hosts cannot be reached. A machine that has joined no fleet is not asked, and a worker sees no other host. */
const unreachable = async ({ paths }: Call, sessions: Session[]): Promise<string | null> => {
  if (!existsSync(paths.fleetFile)) return null;
  const fleet = await ask(paths, 'readFleet');
  return fleet.host?.role === 'worker' ? null : unreachableText(fleet, hasHosts(sessions));
};

/** Sessions on this machine only: elsewhere a pid means another process. */
const placeOf: PlaceOf = session => {
  const { pid, state } = session;
  if (pid === null || state === 'ended' || isRemote(session)) return null;
  const place = terminalPlaceOf(pid);
  return place?.tty ? placeText(place) : null;
};

const width = (): number => process.stdout.columns || 160;

/** Respects NO_COLOR. */
const hasColours = ({ tty, env }: Call): boolean => tty && !env.NO_COLOR && env.TERM !== 'dumb';

const order = ['waiting', 'working', 'background', 'ready', 'away', 'parked', 'ended'];

const groupOf = (session: Session): string => {
  if (isStale(session)) return 'away';
  return session.parked ? 'parked' : session.state;
};

/** Sorts by state: waiting in queue order with deferred ones last, then the others, newest first. */
const byNeed = (queue: QueueItem[]): ((a: Session, b: Session) => number) => {
  const [free, deferred] = [
    queue.filter(item => item.deferred === null),
    queue.filter(item => item.deferred !== null),
  ];
  const places = new Map([...free, ...deferred].map(({ session }, n) => [session.id, n]));
  const place = ({ id }: Session) => places.get(id) ?? queue.length;
  return (a, b) =>
    order.indexOf(groupOf(a)) - order.indexOf(groupOf(b)) || place(a) - place(b) || b.since - a.since;
};
