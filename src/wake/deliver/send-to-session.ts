/** Deliver a wake to another session: the hub types it as a message with a receipt. */
import { SendMessage } from '../../contract/hub.ts';
import type { Folded } from '../../session/memory.ts';
import { type SessionLookup, successorOf } from '../registry/successor.ts';

/** The part of the hub that deliveries use. */
export interface Messenger {
  send: (session: Folded, body: SendMessage, key: string) => Promise<{ id: string; sessionId: string }>;
  /** Resolves with the first status of the message. */
  firstStatus: (id: string, sessionId: string) => Promise<{ status: string; reason: string | null }>;
}

export const sendToSession =
  (sessionIndex: SessionLookup, messenger: Messenger) =>
  async (prefix: string, text: string, key: string): Promise<void> => {
    const session = successorOf(sessionIndex, prefix);
    if (!session) throw new Error(`there is no session ${prefix}, or more than one`);
    const { id, sessionId } = await messenger.send(session, SendMessage.parse({ text }), key);
    const { status, reason } = await messenger.firstStatus(id, sessionId);
    if (status === 'refused') throw new Error(reason ?? 'the message was refused');
  };
