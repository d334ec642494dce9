/** `drover park`: ends an idle session to free its memory, and keeps it listed. */
import { memoryLabel, titleOf } from '../../client/board/labels.ts';
import { call as ask } from '../../client/call.ts';
import { shortId } from '../../contract/short-id.ts';
import { limits } from '../../limits.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = await sessionArg(call, { confirm: 'Park' });
  const before = await ask(call.paths, 'readSession', { id });
  const timeout = limits.park.grace + limits.stop.kill + limits.daemon.answerTimeout;
  const session = await ask(call.paths, 'parkSession', { id, timeout });
  const freed = memoryLabel(before);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else
    call.out(
      `Parked ${shortId(id)} ${titleOf(session)}${freed ? `, freed ${freed}` : ''}. \`drover go ${shortId(id)}\` or a message starts it again.`,
    );
  return 0;
};
