/** The receipt of a message as one sentence. */
import type { MessageStatus, Receipt } from '../contract/hub.ts';
import { clean } from './text.ts';

export const receiptText = ({ status, reason }: Pick<Receipt, 'status' | 'reason'>): string =>
  `${texts[status]}${reason ? `: ${clean(reason)}` : ''}`;

const texts: Record<MessageStatus, string> = {
  queued: 'Message queued. It is typed as soon as the session accepts input',
  typed: 'Message typed, not submitted yet',
  submitted: 'Message sent. The session is working on it',
  answered: 'Message answered',
  refused: 'Message refused',
  unknown: 'It is not known whether the message arrived',
};
