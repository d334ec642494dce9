/** `drover next`: goes to the first session in the queue that can be reached from here. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import type { QueueItem } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { findTmuxClient } from '../../tmux/keys/jump.ts';
import { canGo, goToPane } from '../pick/go-to-pane.ts';
import { unreachableText } from '../pick/unreachable.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const tmuxClient = await findTmuxClient(call.env);
  // A claim belongs to a terminal: the tmux client, or the shell that ran this command.
  const client = tmuxClient?.client ?? `shell-${process.ppid}`;
  const { items } = await ask(call.paths, 'readQueue');
  const own = ({ deferred, session }: QueueItem) =>
    deferred === 'claimed' && session.deferral?.claim?.by === client;
  const candidates = [...items.filter(({ deferred }) => deferred === null), ...items.filter(own)];
  const skipped: string[] = [];
  for (const { session } of candidates) {
    const why = await unreachableText(call, session);
    if (why !== null) {
      call.err(`Skipped ${why}`);
      skipped.push(session.id);
      continue;
    }
    // A printed command takes nobody there, so the session is not reserved.
    if (!canGo(call, tmuxClient, session)) return goToPane(call, tmuxClient, session);
    const claimed = await claim(call, session, client);
    if (claimed) return goToPane(call, tmuxClient, claimed);
  }
  const waiting = items.length;
  const deferred = waiting - items.filter(item => item.deferred === null).length;
  if (flag(call, 'json')) call.out(JSON.stringify({ session: null, waiting, deferred, skipped }));
  else call.out(noneText(waiting, deferred, skipped.length));
  return 1;
};

/** Claims a session. Null: somebody else has it by now, or it has left the queue. */
const claim = async (call: Call, { id }: Session, client: string): Promise<Session | null> => {
  try {
    return (await ask(call.paths, 'claimSession', { id, body: { client } })).session;
  } catch (error) {
    if (error instanceof DroverError && passed.has(error.code)) return null;
    throw error;
  }
};

/** Why a session of the queue may not be had after all: it is taken, it is gone, or its host does not answer. */
const passed = new Set<string>([
  'refused',
  'no_session',
  'host_away',
  'host_silent',
  'no_host',
  'fleet_down',
]);

const noneText = (waiting: number, deferred: number, skipped: number): string => {
  if (waiting === 0) return 'No session is waiting.';
  const parts = [
    ...(deferred > 0 || skipped === 0 ? [`${deferred} deferred`] : []),
    ...(skipped > 0 ? [`${skipped} cannot be reached from here`] : []),
  ];
  return `${skipped > 0 ? 'No session that you can reach is waiting' : 'No session is waiting'}. ${parts.join(', ')}.`;
};
