/** Why an answer cannot be given: what happened to its request, or which requests are open instead. */
import type { PastRequest } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { OpenRequest } from '../../contract/session.ts';
import type { Folded } from '../../session/memory.ts';
import { isLeftToTerminal, pastText } from '../../session/request/past-text.ts';
import { shortId } from '../../contract/short-id.ts';

/** The error for an answer that reaches no request. `id` is the request that it named. */
export const noAnswerError = (session: Folded, id: number | undefined, now: number): DroverError => {
  const short = shortId(session.id);
  if (session.next)
    return refused(`${short} was followed by ${session.next}.`, `Answer ${session.next} instead.`);
  if (session.state === 'ended')
    return refused(`Session ${short} has ended.`, `Resume it with \`drover resume ${short}\`.`);
  const { requests } = session;
  const past = pastOf(session, id ?? (requests.length === 1 ? requests[0]?.id : undefined));
  if (past) return gone(past, now);
  const open = requests.find(request => request.id === id);
  if (open || (id === undefined && requests.length === 1)) return notHeldError(session, open ?? requests[0]);
  if (requests.length > 0) return severalOpenError(requests, id);
  if (id === undefined && session.state === 'waiting' && dialogs.has(session.reason))
    return refused(
      `Session ${short} shows a dialog that no hook has reported, and Drover cannot read it completely from the screen.`,
      `Answer it in its terminal: \`drover go ${short}\`. \`drover menu ${short}\` shows the screen.`,
    );
  return refused(
    id === undefined ? `Session ${short} has no open request.` : `Session ${short} has no request ${id}.`,
  );
};

/** The error for an answer that a hook has passed on after the terminal was answered: it must not say that nothing was changed. */
export const tooLateError = (session: Folded, id: number, now: number): DroverError => {
  const { code, message } = noAnswerError(session, id, now);
  return new DroverError(
    code,
    message,
    `The hook of the request has passed on this answer too, too late. \`drover show ${shortId(session.id)}\` shows what became of it.`,
  );
};

const dialogs = new Set<Folded['reason']>(['permission', 'question', 'plan', 'elicitation', 'dialog']);

/** Throws unless the request that keys are meant for is open, and no other one has a dialog that shows the expected text. */
export const assertRequestOpen = (
  session: Folded,
  { id, expect }: { id?: number | undefined; expect?: string | undefined },
  now: number,
): void => {
  const { requests } = session;
  if (id === undefined) return;
  if (!requests.some(request => request.id === id)) throw noAnswerError(session, id, now);
  const others = requests.filter(request => request.id !== id);
  if (others.some(({ line }) => expect === undefined || line.includes(expect)))
    throw severalOpenError(requests, undefined, otherWays);
};

const otherWays =
  'Answer it with `drover answer --id`, or name a text that only its dialog shows with `--expect`.';

/** The error for an answer without an id while several requests are open. */
export const severalOpenError = (
  requests: OpenRequest[],
  id?: number,
  hint = 'Name one of them: `--id`, or `id` in the body.',
): DroverError =>
  new DroverError(
    id === undefined ? 'several_requests' : 'refused',
    `${id === undefined ? '' : `There is no request ${id}. `}${requests.length === 1 ? 'One request is' : `${requests.length} requests are`} open:\n${requests.map(describeRequest).join('\n')}`,
    hint,
  );

const describeRequest = ({ id, line, agent }: OpenRequest): string =>
  `  ${id}  ${line}${agent ? ` (subagent ${agent})` : ''}`;

/** What became of a request; without an id of the last one, where none is open now. */
const pastOf = ({ memory: { past }, requests }: Folded, id: number | undefined): PastRequest | undefined => {
  if (id !== undefined) return past.find(one => one.id === id);
  return requests.length === 0 ? past.at(-1) : undefined;
};

const gone = (past: PastRequest, now: number): DroverError => {
  const message = `${pastText(past, now)}:${past.line ? ` ${past.line}` : ''}`;
  return isLeftToTerminal(past)
    ? new DroverError('request_gone', message, 'Its terminal may still show it.')
    : new DroverError('request_gone', message);
};

const notHeldError = (session: Folded, request: OpenRequest | undefined): DroverError => {
  const short = shortId(session.id);
  return refused(
    `No hook of ${short} waits for an answer any more: ${request?.line ?? ''}`,
    'Nothing was changed. Try again: the answer then uses its terminal.',
  );
};

const refused = (message: string, hint?: string): DroverError => new DroverError('refused', message, hint);
