/** `drover back`: returns to where this tmux client was before the last jump. Works without the daemon. */
import { DroverError } from '../../contract/error.ts';
import { findTmuxClient, goBack } from '../../tmux/keys/jump.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const tmuxClient = await findTmuxClient(call.env);
  if (!tmuxClient) throw new DroverError('refused', 'Not inside tmux.', 'Run it in a tmux pane.');
  const pane = await goBack(tmuxClient);
  if (flag(call, 'json')) call.out(JSON.stringify({ pane }));
  else if (!pane) call.out('Nothing to go back to.');
  return pane ? 0 : 1;
};
