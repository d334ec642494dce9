/** Move a tmux client on behalf of the page or a program. */
import { DroverError } from '../../contract/error.ts';
import type { MovedClient } from '../../contract/page.ts';
import type { Pane } from '../../contract/session.ts';
import { listClients } from '../server/clients.ts';
import { jump } from './jump.ts';

/** Move the named client to a pane, or the only client. Without a name and with none or several clients, move none. */
export const moveClient = async (pane: Pane, client: string | null): Promise<MovedClient> => {
  const found = await listClients(pane.socket);
  const clients = found.map(({ client: name, name: session, used }) => ({ name, session, used }));
  const mover =
    client === null ? (found.length === 1 ? found[0] : undefined) : found.find(one => one.client === client);
  if (client !== null && !mover)
    throw new DroverError('refused', `There is no tmux client ${JSON.stringify(client)} on ${pane.socket}.`);
  if (!mover) return { client: null, clients };
  await jump(mover, pane);
  return { client: mover.client, clients };
};
