/** Sends a message and waits for its receipt, also if the daemon is started again while it waits. */
import { randomUUID } from 'node:crypto';
import { awaitDaemon, isAway } from '../client/stream.ts';
import { DroverError } from '../contract/error.ts';
import type { MessageWait, Receipt, SendMessage } from '../contract/hub.ts';
import { limits } from '../limits.ts';
import type { Daemon } from './daemon.ts';

type Body = Pick<SendMessage, 'text' | 'as' | 'timeout'> & { wait: MessageWait };

/** Sends it once: the same key again is the same message, so a repeated call only continues to wait. */
export const sendAndWait = async (
  id: string,
  body: Body,
  daemon: Daemon,
  signal: AbortSignal,
): Promise<Receipt> => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const deadline = performance.now() + body.timeout * 1_000;
  let patience = Infinity;
  for (;;) {
    const calledAt = performance.now();
    const left = Math.max(1, deadline - calledAt);
    const receipt = await daemon
      .call('sendMessage', {
        id,
        body: { ...body, timeout: left / 1_000 },
        timeout: left + limits.daemon.answerTimeout,
        headers,
        signal,
      })
      .catch(nullIfDown);
    const now = performance.now();
    if (receipt && (hasReached(receipt, body) || now >= Math.min(deadline, patience))) return receipt;
    // A daemon that stops does not wait any more. Another host repeats the answer that it gave when its daemon stopped.
    const isAtOnce = receipt !== null && now - calledAt < limits.mcp.atOnce;
    patience = isAtOnce ? Math.min(patience, now + limits.mcp.daemonAway) : Infinity;
    await awaitRestart(daemon, signal);
  }
};

/** A daemon that stops answers with the receipt as it is, or breaks the connection. */
const nullIfDown = (error: unknown): null => {
  if (isAway(error)) return null;
  throw error;
};

const awaitRestart = async ({ where }: Daemon, signal: AbortSignal): Promise<void> => {
  const patience = AbortSignal.timeout(limits.mcp.daemonAway);
  await awaitDaemon(where, AbortSignal.any([signal, patience]));
  signal.throwIfAborted();
  if (patience.aborted) throw new DroverError('daemon_down');
};

/** Whether a message has come this far, or can come no further. A command is not answered, nor is a turn that ended otherwise. */
const hasReached = ({ status, outcome }: Receipt, { wait, as }: Body): boolean =>
  outcome !== null ||
  (as === 'command' && status === 'submitted') ||
  phases.indexOf(status) === -1 ||
  phases.indexOf(status) >= phases.indexOf(wait);

const phases: readonly Receipt['status'][] = ['queued', 'typed', 'submitted', 'answered'];
