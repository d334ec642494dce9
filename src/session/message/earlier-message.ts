/** Reads the rows of messages that builds before 2026-11-16 wrote: one object with a field for everything, most of them null. */
import type { MessageStatus, Receipt, SendMessage } from '../../contract/hub.ts';
import { type FinishedMessage, identityOf, type MessageState, type OpenMessage } from './message.ts';

/** The row as those builds wrote it. `text` is null in a finished message. */
export interface EarlierMessage extends Receipt {
  text: string | null;
  as: SendMessage['as'];
  force: boolean;
  key: string | null;
  digest: string;
  typingSeq: number | null;
  carried: boolean;
}

/** Reads a row of any build. */
export const messageOf = (row: MessageState | EarlierMessage): MessageState =>
  'phase' in row ? row : row.text === null ? finished(row) : open(row, row.text);

const open = (row: EarlierMessage, text: string): OpenMessage => {
  const { typingSeq, carried, typedAt, submittedAt, queuedAt } = row;
  const queued = { ...identityOf(row), text };
  if (typingSeq === null) return { ...queued, phase: 'queued' };
  const begun = { ...queued, typingSeq, carried };
  const at = typedAt ?? submittedAt ?? queuedAt;
  if (row.status === 'submitted')
    return { ...begun, phase: 'submitted', typedAt: at, submittedAt: submittedAt ?? at };
  return row.status === 'typed' ? { ...begun, phase: 'typed', typedAt: at } : { ...begun, phase: 'typing' };
};

const finished = (row: EarlierMessage): FinishedMessage => {
  const { reason, outcome, answer, usage, queuedAt } = row;
  const identity = identityOf(row);
  const typedAt = row.typedAt ?? row.submittedAt ?? queuedAt;
  const taken = { typedAt, submittedAt: row.submittedAt ?? typedAt };
  const answeredAt = row.answeredAt ?? taken.submittedAt;
  if (row.status === 'refused') return { ...identity, phase: 'refused', reason };
  if (outcome === 'stopped' || row.status === 'answered')
    return { ...identity, ...taken, phase: 'answered', answeredAt, answer, usage };
  if (outcome !== null) return { ...identity, ...taken, phase: 'unanswered', answeredAt, outcome, answer };
  if (row.status === ran) return { ...identity, ...taken, phase: 'ran' };
  return {
    ...identity,
    phase: 'unknown',
    reason,
    ...(row.typedAt === null ? {} : { typedAt: row.typedAt }),
    ...(row.submittedAt === null ? {} : { submittedAt: row.submittedAt }),
  };
};

/** A finished message with this status and no outcome is a slash command that was run. */
const ran: MessageStatus = 'submitted';
