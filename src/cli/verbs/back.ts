/** `drover back`: to where this tmux client was before the last jump. The daemon is not asked. */
import { DroverError } from '../../contract/error.ts';
import { tmuxClientOf, back } from '../../tmux/keys/jump.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const tmuxClient = await tmuxClientOf(call.env);
  if (!tmuxClient)
    throw new DroverError('refused', 'There is no tmux client here to take back.', 'Run it inside tmux.');
  const pane = await back(tmuxClient);
  if (flag(call, 'json')) call.out(JSON.stringify({ pane }));
  else if (!pane) call.out('There is no way back from here.');
  return pane ? 0 : 1;
};
