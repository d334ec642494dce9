/** Another session as an agent: the wake is typed into it as a message of the hub, with a receipt. */
import { SendMessage } from '../../contract/hub.ts';
import type { Folded } from '../../session/memory.ts';
import { type Known, successorOf } from '../registry/successor.ts';

/** What of the hub is used. */
export interface Messenger {
  send: (session: Folded, wish: SendMessage, key: string) => { id: string; sessionId: string };
  /** What became of it at once. */
  firstWord: (id: string, sessionId: string) => Promise<{ status: string; reason: string | null }>;
}

export const sessionWay =
  (sessionIndex: Known, messenger: Messenger) =>
  async (prefix: string, text: string, key: string): Promise<void> => {
    const session = successorOf(sessionIndex, prefix);
    if (!session) throw new Error(`there is no session ${prefix}, or more than one`);
    const { id, sessionId } = messenger.send(session, SendMessage.parse({ text }), key);
    const { status, reason } = await messenger.firstWord(id, sessionId);
    if (status === 'refused') throw new Error(reason ?? 'the message was refused');
  };
