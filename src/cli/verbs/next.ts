/** `drover next`: goes to the first session in the queue. */
import { call as ask } from '../../client/call.ts';
import { findTmuxClient } from '../../tmux/keys/jump.ts';
import { canGo, goToPane } from '../pick/go-to-pane.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const tmuxClient = await findTmuxClient(call.env);
  // A claim belongs to a terminal: the tmux client, or the shell that ran this command.
  const client = tmuxClient?.client ?? `shell-${process.ppid}`;
  // A printed command takes nobody there, so the session is not reserved.
  const { items } = await ask(call.paths, 'readQueue');
  const first = items.find(item => item.deferred === null);
  if (first && !canGo(call, tmuxClient, first.session)) return goToPane(call, tmuxClient, first.session);
  const { next, waiting, deferred } = await ask(call.paths, 'nextInQueue', { body: { client } });
  if (next) return goToPane(call, tmuxClient, next.session);
  if (flag(call, 'json')) call.out(JSON.stringify({ session: null, waiting, deferred }));
  else call.out(waiting === 0 ? 'No session is waiting.' : `No session is waiting. ${deferred} deferred.`);
  return 1;
};
