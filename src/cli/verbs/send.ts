/** `drover send`: sends a message to a session and prints its receipt. */
import { readFileSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { DroverError, errors } from '../../contract/error.ts';
import type { Receipt, SendMessage } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const parts = call.args.slice(1);
  const message = parts.length === 0 || parts[0] === '-' ? readFileSync(0, 'utf8') : parts.join(' ');
  const id = await sessionArg(call);
  const wait = text(call, 'wait') ?? 'submitted';
  const timeout = secondsOf(text(call, 'timeout') ?? '600');
  const receipt = await ask(call.paths, 'sendMessage', {
    id,
    body: {
      text: message,
      as: flag(call, 'command') ? 'command' : 'text',
      force: flag(call, 'force'),
      // The daemon rejects any other value.
      ...(wait !== 'queued' && { wait: wait as SendMessage['wait'] }),
      timeout,
    },
    timeout: timeout * 1_000 + limits.daemon.answerTimeout,
  });
  if (flag(call, 'json')) call.out(JSON.stringify(receipt));
  else if (receipt.answer !== null) call.payload(receipt.answer);
  else call.out(`${receipt.status}${receipt.reason ? `: ${receipt.reason}` : ''} (message ${receipt.id})`);
  return exitOf(receipt);
};

const exitOf = ({ status, outcome }: Receipt): number => {
  if (status === 'refused') return errors.refused.exit;
  return status === 'unknown' || outcome === 'failed' || outcome === 'ended' ? errors.failed.exit : 0;
};

const secondsOf = (given: string): number => {
  const seconds = Number(given);
  if (!(seconds > 0 && seconds <= 3_600))
    throw new DroverError(
      'usage',
      `${JSON.stringify(given)} is not a valid timeout.`,
      'Give seconds, at most 3600.',
    );
  return seconds;
};
