/** The requests of a session that wait for an answer. Each is identified by the seq of its event. */
import type { PastRequest } from '../../contract/answer.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { OpenRequest } from '../../contract/session.ts';
import { inputFingerprint, textDetail, toolDetail, toolName } from './detail.ts';
import { endCalls } from './open-calls.ts';
import { evidenceOf } from '../evidence.ts';
import type { SessionRequest, EndedRequest, Memory } from '../memory.ts';

/** More than any session has open at once. A request beyond this is not listed, but its terminal can still answer it. */
const maxRequests = 1_000;
/** Ended requests that are remembered, so that a late answer gets an explanation. */
const maxPast = 64;

export const addRequest = (memory: Memory, asked: SessionRequest): void => {
  const { at, seq, source } = asked.evidence;
  // The hook of the same dialog was late, and knows more.
  if (source === 'hook' && asked.agent === null && memory.requests.some(isFromScreen))
    memory.requests = memory.requests.filter(one => !isFromScreen(one));
  // Its dialog was gone before the event arrived, or the event is a duplicate. A subagent's dialog may appear after its hook.
  const isOver = asked.agent === null && at <= memory.cleared;
  if (isOver || memory.requests.some(({ evidence }) => evidence.seq === seq)) return;
  if (memory.requests.length < maxRequests) memory.requests = [...memory.requests, asked];
};

/** Whether a permission request is known from the screen only. */
const isFromScreen = ({ kind, evidence }: SessionRequest): boolean =>
  kind === 'permission' && evidence.source === 'sweep';

/** Removes a request that was read from the screen before the session file began to wait again: this is another dialog. */
export const dropScreenRequests = (memory: Memory, event: Event): void =>
  closeRequests(
    memory,
    event,
    one => (isFromScreen(one) || one.kind === 'dialog') && one.evidence.at <= event.at,
    null,
  );

/** Builds the request that a hook event opens. */
export const requestOf = (
  event: Event,
  hook: Hook,
  rest: Pick<SessionRequest, 'kind' | 'agent' | 'detail'>,
): SessionRequest => ({
  ...rest,
  tool: event.name === 'PermissionRequest' ? toolName(hook) : null,
  detail: { ...rest.detail, request: event.seq },
  print: inputFingerprint(hook),
  isAnswered: false,
  isDenied: false,
  deadline: null,
  evidence: evidenceOf(event),
});

/** Returns the unanswered requests, those first that an answer through Drover can reach. */
export const openRequests = ({ requests, holds }: Pick<Memory, 'requests' | 'holds'>): SessionRequest[] => {
  const open = requests.filter(({ isAnswered }) => !isAnswered);
  if (open.length < 2 || holds.length === 0) return open;
  const isHeld = ({ evidence }: SessionRequest) => holds.some(({ id }) => id === evidence.seq);
  return [...open.filter(isHeld), ...open.filter(one => !isHeld(one))];
};

/** Returns the request that every view shows first. */
export const headRequest = (memory: Pick<Memory, 'requests' | 'holds'>): SessionRequest | undefined =>
  openRequests(memory)[0] ?? memory.requests[0];

/** Returns the open requests as views list them. */
export const requestsOf = (memory: Pick<Memory, 'requests' | 'holds'>): OpenRequest[] =>
  openRequests(memory).map(({ kind, tool, detail, deadline, evidence }) => ({
    id: evidence.seq,
    kind,
    tool,
    agent: detail.agent,
    line: detail.line,
    at: evidence.at,
    until: memory.holds.find(({ id }) => id === evidence.seq)?.until ?? null,
    ...(deadline !== null && { deadline }),
  }));

/** Removes the requests that this event closes, and remembers how. */
export const closeRequests = (
  memory: Memory,
  event: Event,
  isClosed: (request: SessionRequest) => boolean,
  behavior: PastRequest['behavior'],
): void => {
  const closed = memory.requests.filter(isClosed);
  if (closed.length === 0) return;
  memory.requests = memory.requests.filter(one => !closed.includes(one));
  // A request that was denied here and whose tool still ran was allowed in the terminal first.
  for (const request of closed) {
    const { isAnswered, isDenied, evidence, detail, print, kind, tool } = request;
    if (!isAnswered || (isDenied && behavior === 'allow'))
      remember(memory, {
        id: evidence.seq,
        line: detail.line,
        print,
        at: event.at,
        ...(isOverdue(request, event.at) && behavior !== 'allow'
          ? { by: 'claude', behavior: 'deny', tool }
          : // A start-up dialog that is gone may have been answered with yes or no.
            { by: 'terminal', behavior: kind === 'dialog' ? null : behavior }),
      });
  }
  if (!memory.answered || memory.answered.at <= event.at) memory.answered = evidenceOf(event);
};

/** Whether the countdown of its dialog was over, which denies it. It shows whole seconds. */
const isOverdue = ({ deadline }: SessionRequest, at: number): boolean =>
  deadline !== null && at >= deadline - 1_000;

/** The countdown of a dialog was read. */
export const deadlineName = 'Deadline';

/** Applies such an event. */
export const reduceDeadline = (memory: Memory, { request, until }: Hook): void => {
  if (typeof request !== 'number' || typeof until !== 'number') return;
  memory.requests = memory.requests.map(one =>
    one.evidence.seq === request ? { ...one, deadline: until } : one,
  );
};

/** Remembers how a request ended, or why Drover can no longer answer it. */
export const remember = (memory: Memory, past: EndedRequest): void => {
  memory.past = [...memory.past.filter(({ id }) => id !== past.id), past].slice(-maxPast);
};

/**
 * Removes the requests whose dialogs are gone according to the session file: all from before `cleared`. A subagent in the
 * background may still wait for its hook before it shows a dialog; the file says nothing about that request.
 */
export const clearRequests = (memory: Memory, event: Event, behavior: PastRequest['behavior']): void => {
  const { cleared, holds } = memory;
  const mayComeUp = ({ agent, evidence }: SessionRequest) =>
    agent !== null &&
    (event.at - evidence.at < hookArrivalTime ||
      holds.some(({ id, isShown }) => id === evidence.seq && !isShown));
  closeRequests(memory, event, one => one.evidence.at <= cleared && !mayComeUp(one), behavior);
};

/** Time for a waiting hook to reach the daemon after its event, ms. */
const hookArrivalTime = 1_000;

/**
 * Records that a request was allowed, because its tool has a result: one whose dialog the session file reported as gone, or one
 * that was denied here too late. A later call of the same tool is a different request.
 */
export const noteAllowed = (memory: Memory, hook: Hook): void => {
  const { past, called } = memory;
  const isUnsure = ({ by, behavior }: PastRequest) =>
    (by === 'terminal' && behavior !== 'allow') ||
    ((by === 'answer' || by === 'claude') && behavior === 'deny');
  const unsure = past.filter(one => called <= one.at && isUnsure(one));
  if (unsure.length === 0) return;
  const print = inputFingerprint(hook);
  const at = past.findLastIndex(one => unsure.includes(one) && one.print === print);
  const found = past[at];
  if (found) memory.past = past.with(at, { ...found, by: 'terminal', behavior: 'allow' });
};

/** Removes the requests of a turn that is over. Subagents continue, and so do their requests. */
export const dropRequests = (memory: Memory, event: Event): void => {
  endCalls(memory, ({ inside }) => inside === null);
  const { at } = event;
  const { answered } = memory;
  closeRequests(memory, event, ({ agent, evidence }) => agent === null && evidence.at <= at, null);
  memory.answered = answered;
};

/** Returns the request that a tool result belongs to; undefined when none or several match. */
export const requestAnsweredBy = (
  requests: SessionRequest[],
  hook: Hook,
  agent: string | null,
  at: number,
): SessionRequest | undefined => {
  if (requests.length === 0) return undefined;
  const tool = toolName(hook);
  const fit = requests.filter(one => one.tool === tool && one.agent === agent && one.evidence.at <= at);
  if (fit.length === 0) return undefined;
  const print = inputFingerprint(hook);
  const equal = fit.filter(one => one.print === print);
  // Nothing shows which of several equal requests ran: take the one that Drover allowed, else the oldest.
  if (equal.length > 0)
    return (
      equal.find(({ isAnswered, isDenied }) => isAnswered && !isDenied) ??
      equal.find(({ isDenied }) => !isDenied) ??
      equal[0]
    );
  // The input was changed in the terminal, or contains the answers to a question. Tools that need no permission have results
  // too, so a different line is a different call, except for tools that always ask.
  const { line } = toolDetail(hook);
  const alike = fit.filter(({ detail }) => detail.line === line);
  const always = fit.filter(({ kind }) => kind === 'question' || kind === 'plan');
  return [alike, always].find(({ length }) => length === 1)?.[0];
};

/** Applies a dialog that was read from the screen, a start-up dialog or an unreported permission. There is only one at a time. */
export const reduceDialog = (memory: Memory, event: Event, hook: Hook): void => {
  if (typeof hook.identity === 'string' || typeof hook.call === 'number') {
    closeRequests(memory, event, isFromScreen, null);
    // What a hook has told of the call is known of its request too.
    const agent = typeof hook.call === 'number' && typeof hook.agent_id === 'string' ? hook.agent_id : null;
    const request = requestOf(event, hook, { kind: 'permission', agent, detail: toolDetail(hook) });
    addRequest(memory, { ...request, tool: toolName(hook) });
    return;
  }
  const detail = textDetail(hook.message) ?? toolDetail(hook);
  memory.requests = [requestOf(event, hook, { kind: 'dialog', agent: null, detail })];
};
