/** `drover ls`: lists sessions, waiting ones first. */
import { call as ask } from '../../client/call.ts';
import { follow } from '../../client/stream.ts';
import type { Session } from '../../contract/session.ts';
import { queueOf } from '../../session/queue.ts';
import { silentText } from '../output/format.ts';
import { table } from '../output/table.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const list = async (): Promise<Session[]> => {
    const query = flag(call, 'waiting') ? { state: 'waiting' } : flag(call, 'all') ? {} : { live: 1 };
    const { sessions } = await ask(call.paths, 'listSessions', { query });
    return sessions.filter(session => flag(call, 'all') || !session.headless).sort(byNeed(sessions));
  };
  const print = (sessions: Session[]) => {
    if (flag(call, 'json')) call.out(JSON.stringify({ sessions }));
    else
      for (const { text, colour } of table(sessions, width(), Date.now()))
        call.out(text, hasColours(call) ? colour : 0);
    const silent = sessions.filter(({ hooks, state }) => hooks === 'silent' && state !== 'ended').length;
    if (silent > 0 && !flag(call, 'json')) call.out(silentText(silent));
  };
  print(await list());
  if (!flag(call, 'watch')) return 0;
  for await (const frame of follow(call.paths, '/events')) {
    if (frame.event !== 'state') continue;
    if (call.tty) process.stdout.write('\x1b[H\x1b[2J');
    print(await list());
  }
  return 0;
};

const width = (): number => process.stdout.columns || 120;

/** Respects NO_COLOR. */
const hasColours = ({ tty, env }: Call): boolean => tty && !env.NO_COLOR && env.TERM !== 'dumb';

const order = ['waiting', 'working', 'background', 'ready', 'ended'];

/** Sorts by state: waiting in queue order with deferred ones last, then the others, newest first. */
const byNeed = (sessions: Session[]): ((a: Session, b: Session) => number) => {
  const queue = queueOf(sessions, Date.now());
  const [free, deferred] = [
    queue.filter(item => item.deferred === null),
    queue.filter(item => item.deferred !== null),
  ];
  const places = new Map([...free, ...deferred].map(({ session }, n) => [session.id, n]));
  const place = ({ id }: Session) => places.get(id) ?? queue.length;
  return (a, b) =>
    order.indexOf(a.state) - order.indexOf(b.state) || place(a) - place(b) || b.since - a.since;
};
