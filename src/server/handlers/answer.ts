/** Held requests and their answers. */
import type { Answer } from '../../contract/answer.ts';
import { isPerson } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import type { RequestAnswers } from '../../hub/request/answer-request.ts';
import type { HoldAll } from '../../hub/request/hold-all.ts';
import type { Holds } from '../../hub/request/holds.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { isRemote, whereOf } from '../../contract/origin.ts';
import type { Handlers } from '../call.ts';
import { findNewest, findSession } from './sessions.ts';
import { shortId } from '../../contract/short-id.ts';

export const answerHandlers = (
  sessionIndex: SessionIndex,
  holds: Holds,
  holdAll: HoldAll,
  answers: RequestAnswers,
  drive: DrivePolicy,
): Pick<Handlers, 'readRequest' | 'answerSession' | 'setApprovals' | 'setAllApprovals'> => ({
  readRequest: ({ params }) => {
    const request = Number(params.request);
    if (!Number.isSafeInteger(request) || request < 0)
      throw new DroverError('bad_request', `${JSON.stringify(params.request)} is not a request id.`);
    return answers.read(findSession(sessionIndex, params.id), request);
  },
  answerSession: async ({ params, body: answer, caller, action }) => {
    const session = findSession(sessionIndex, params.id);
    action.text = answerText(answer);
    action.requestId = answer.id;
    const answered = await answers.answer(session, answer, isPerson(caller));
    action.requestId = answered.id;
    return answered;
  },
  setApprovals: async ({ params, body: { approvals }, caller, action }) => {
    action.text = approvals;
    const session = findNewest(sessionIndex, params.id);
    if (approvals === 'held') assertHoldable(session);
    if (approvals === 'held' && !isPerson(caller)) drive.assertMayHold(session);
    await holds.setHeld(session.id, approvals === 'held');
    return shown(sessionIndex.get(session.id) ?? session);
  },
  setAllApprovals: async ({ body: { approvals }, action }) => {
    action.text = `${approvals}, all sessions`;
    return { approvals, sessions: await holdAll.set(approvals === 'held') };
  },
});

/** Formats an answer for the audit. */
export const answerText = ({ choice, behavior, answers, message, remember, interrupt }: Answer): string =>
  [
    choice ?? behavior ?? 'answer',
    ...(remember ? ['and remember'] : []),
    ...(interrupt ? ['and interrupt'] : []),
    ...Object.entries(answers ?? {}).map(([question, given]) => `${question} ${[given].flat().join(', ')}`),
    ...(message === undefined ? [] : [`“${message}”`]),
  ].join(' ');

/** Throws unless requests of this session can be held. */
const assertHoldable = (session: Folded): void => {
  const { id, state } = session;
  const short = shortId(id);
  if (state === 'ended') throw new DroverError('refused', `${short} has ended.`);
  if (isRemote(session))
    throw new DroverError(
      'refused',
      `${short} runs on ${whereOf(session)}: its hooks do not wait for this daemon.`,
    );
};
