/** Requests that hooks hold open, and their answers. */
import { Answer, SetApprovals } from '../../contract/answer.ts';
import { isPerson } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { parseObject } from '../../hook/payload.ts';
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import type { Holds } from '../../hub/request/holds.ts';
import { limits } from '../../limits.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { isElsewhere, whereOf } from '../../contract/origin.ts';
import type { Handlers } from '../app.ts';
import { bodyOf, readBody } from '../body.ts';
import { findNewest, findSession } from './sessions.ts';

export const answerHandlers = (
  sessionIndex: SessionIndex,
  holds: Holds,
  /** For hooks that ask no permission. */
  answers: Pick<Holds, 'wait'>,
  drive: DrivePolicy,
): Pick<Handlers, 'holdRequest' | 'answerSession' | 'setApprovals'> => ({
  holdRequest: async ({ request, response }) => {
    const payload = parseObject(await readBody(request, limits.http.eventBytes));
    if (!payload) throw new DroverError('bad_json');
    const { hook_event_name: hook } = payload;
    const waiting = hook === 'Stop' || hook === 'PreCompact' ? answers : holds;
    const delivery = request.headers['x-drover-delivery'];
    const name = typeof delivery === 'string' && delivery !== '' ? delivery : null;
    const output = await waiting.wait(payload, name, gone => response.once('close', gone));
    response.writeHead(output === null ? 204 : 200, { 'Content-Type': 'application/json' });
    response.end(output ?? undefined);
  },
  answerSession: async ({ id, request, action }) => {
    const answer = await bodyOf(request, Answer);
    const session = findSession(sessionIndex, id);
    action.text = answerText(answer);
    action.requestId = answer.id;
    const answered = await holds.answer(session.id, answer);
    action.requestId = answered.id;
    return answered;
  },
  setApprovals: async ({ id, request, caller, action }) => {
    const { approvals } = await bodyOf(request, SetApprovals);
    action.text = approvals;
    const session = findNewest(sessionIndex, id);
    if (approvals === 'held') canBeHeld(session);
    if (approvals === 'held' && !isPerson(caller)) drive.assertMayHold(session);
    await holds.setHeld(session.id, approvals === 'held');
    return shown(sessionIndex.get(session.id) ?? session);
  },
});

/** An answer in words, as the audit shows it. */
export const answerText = ({ behavior, answers, message, remember, interrupt }: Answer): string =>
  [
    behavior ?? 'answer',
    ...(remember ? ['and remember'] : []),
    ...(interrupt ? ['and interrupt'] : []),
    ...Object.entries(answers ?? {}).map(([question, given]) => `${question} ${[given].flat().join(', ')}`),
    ...(message === undefined ? [] : [`“${message}”`]),
  ].join(' ');

/** Throws unless a request of this session could ever be held. */
const canBeHeld = (session: Folded): void => {
  const { id, state } = session;
  const short = id.slice(0, 8);
  if (state === 'ended') throw new DroverError('refused', `${short} has ended.`);
  if (isElsewhere(session))
    throw new DroverError(
      'refused',
      `${short} runs on ${whereOf(session)}: its hooks do not wait for this daemon.`,
    );
};
