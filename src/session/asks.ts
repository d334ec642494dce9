/** The requests of a session that wait for an answer. Each is known by the number of the event that asked. */
import type { PastRequest } from '../contract/answer.ts';
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { OpenRequest } from '../contract/session.ts';
import { inputPrint, textDetail, toolDetail, toolName } from './detail.ts';
import { evidenceOf } from './evidence.ts';
import type { Ask, EndedRequest, Memory } from './memory.ts';

/** More than any session has open at once. A request beyond this is not listed; its terminal still answers it. */
const asksAtMost = 1_000;
/** Requests whose end is remembered, so that a late answer can be told what happened. */
const pastAtMost = 200;

export const ask = (memory: Memory, asked: Ask): void => {
  const { at, seq } = asked.evidence;
  // Its dialog was gone before this arrived, or it is told twice. The dialog of a subagent may come later than its hook.
  const isOver = asked.agent === null && at <= memory.cleared;
  if (isOver || memory.asks.some(({ evidence }) => evidence.seq === seq)) return;
  if (memory.asks.length < asksAtMost) memory.asks = [...memory.asks, asked];
};

/** Builds the request that a hook event makes. */
export const askOf = (event: Event, hook: Hook, rest: Pick<Ask, 'kind' | 'agent' | 'detail'>): Ask => ({
  ...rest,
  tool: event.name === 'PermissionRequest' ? toolName(hook) : null,
  detail: { ...rest.detail, request: event.seq },
  print: inputPrint(hook),
  isAnswered: false,
  isDenied: false,
  evidence: evidenceOf(event),
});

/** Requests that nobody has answered, those first that an answer through Drover can reach. */
export const openAsks = ({ asks, holds }: Pick<Memory, 'asks' | 'holds'>): Ask[] => {
  const open = asks.filter(({ isAnswered }) => !isAnswered);
  if (open.length < 2 || holds.length === 0) return open;
  const isHeld = ({ evidence }: Ask) => holds.some(({ id }) => id === evidence.seq);
  return [...open.filter(isHeld), ...open.filter(one => !isHeld(one))];
};

/** The request that every surface shows, and that an answer reaches where it is held. */
export const headAsk = (memory: Pick<Memory, 'asks' | 'holds'>): Ask | undefined =>
  openAsks(memory)[0] ?? memory.asks[0];

/** The open requests as views list them: the first is the one that is shown. */
export const requestsOf = (memory: Pick<Memory, 'asks' | 'holds'>): OpenRequest[] =>
  openAsks(memory).map(({ kind, tool, detail, evidence }) => ({
    id: evidence.seq,
    kind,
    tool,
    agent: detail.agent,
    line: detail.line,
    at: evidence.at,
    until: memory.holds.find(({ id }) => id === evidence.seq)?.until ?? null,
  }));

/** Takes away the requests that this event closes. */
export const closeAsks = (
  memory: Memory,
  event: Event,
  isClosed: (ask: Ask) => boolean,
  behavior: PastRequest['behavior'],
): void => {
  const closed = memory.asks.filter(isClosed);
  if (closed.length === 0) return;
  memory.asks = memory.asks.filter(one => !closed.includes(one));
  // One that was denied here, and whose tool ran all the same, was allowed in the terminal first.
  for (const { isAnswered, isDenied, evidence, detail, print } of closed)
    if (!isAnswered || (isDenied && behavior === 'allow'))
      remember(memory, {
        id: evidence.seq,
        line: detail.line,
        print,
        at: event.at,
        by: 'terminal',
        behavior,
      });
  if (!memory.answered || memory.answered.at <= event.at) memory.answered = evidenceOf(event);
};

/** Keeps how a request came to its end, or why Drover can no longer answer it. */
export const remember = (memory: Memory, past: EndedRequest): void => {
  memory.past = [...memory.past.filter(({ id }) => id !== past.id), past].slice(-pastAtMost);
};

/**
 * Takes away the requests whose dialogs are gone, as the session file tells: all from before `cleared`. A subagent in the
 * background may still wait for its hook before it shows a dialog: the file says nothing about that one.
 */
export const clearAsks = (memory: Memory, event: Event, behavior: PastRequest['behavior']): void => {
  const { cleared, holds } = memory;
  const mayComeUp = ({ agent, evidence }: Ask) =>
    agent !== null &&
    (event.at - evidence.at < hookComes || holds.some(({ id, isShown }) => id === evidence.seq && !isShown));
  closeAsks(memory, event, one => one.evidence.at <= cleared && !mayComeUp(one), behavior);
};

/** A hook that waits is known to the daemon so long after its event, ms. */
const hookComes = 1_000;

/**
 * The result of a tool tells that its request was allowed: one of which the session file told that its dialog was gone, or one
 * that was denied here a moment too late. A later call of the same tool is another one.
 */
export const noteAllowed = (memory: Memory, hook: Hook): void => {
  const print = inputPrint(hook);
  const { past, called } = memory;
  const isUnsure = ({ by, behavior }: PastRequest) =>
    (by === 'terminal' && behavior !== 'allow') || (by === 'answer' && behavior === 'deny');
  const at = past.findLastIndex(one => isUnsure(one) && one.print === print && called <= one.at);
  const found = past[at];
  if (found) memory.past = past.with(at, { ...found, by: 'terminal', behavior: 'allow' });
};

/** The turn is over, or another began: what it asked is gone. A subagent goes on, and so does what it asks. */
export const dropAsks = (memory: Memory, event: Event): void => {
  const { at } = event;
  const { answered } = memory;
  closeAsks(memory, event, ({ agent, evidence }) => agent === null && evidence.at <= at, null);
  memory.answered = answered;
};

/** The request that the result of a tool answers; undefined when none or several fit. */
export const askedBefore = (asks: Ask[], hook: Hook, agent: string | null, at: number): Ask | undefined => {
  if (asks.length === 0) return undefined;
  const tool = toolName(hook);
  const fit = asks.filter(one => one.tool === tool && one.agent === agent && one.evidence.at <= at);
  if (fit.length === 0) return undefined;
  const print = inputPrint(hook);
  const equal = fit.filter(one => one.print === print);
  // Equal requests: the one that Drover allowed, else the oldest; which of them it was cannot be known.
  if (equal.length > 0)
    return (
      equal.find(({ isAnswered, isDenied }) => isAnswered && !isDenied) ??
      equal.find(({ isDenied }) => !isDenied) ??
      equal[0]
    );
  // The input was changed in the terminal, or carries the answers to a question. A tool that needed no permission has a result
  // too, so another line is another call, except where a tool always asks.
  const { line } = toolDetail(hook);
  const alike = fit.filter(({ detail }) => detail.line === line);
  const always = fit.filter(({ kind }) => kind === 'question' || kind === 'plan');
  return [alike, always].find(({ length }) => length === 1)?.[0];
};

/** A dialog at the start of the CLI: there is one at a time. */
export const hearScreen = (memory: Memory, event: Event, hook: Hook): void => {
  const detail = textDetail(hook.message) ?? toolDetail(hook);
  memory.asks = [askOf(event, hook, { kind: 'dialog', agent: null, detail })];
};
