/** Sends a message to a session; a parked one is started first, if it would take the message. */
import type { Folded } from '../../session/memory.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import type { Messages } from './messages.ts';
import { checkedText } from './text.ts';

export const unparkAndSend =
  (messages: Messages, drive: DrivePolicy, unpark: (session: Folded) => Promise<Folded>): Messages['send'] =>
  async (session, body, key, byHand) => {
    if (!session.parked) return messages.send(session, body, key, byHand);
    checkedText(body.text, body.as);
    drive.assertMayDrive({ ...session, state: 'waiting' }, byHand);
    return messages.send(await unpark(session), body, key, byHand);
  };
