/**
 * The fold: events in, state out. Pure, total, deterministic; no IO, no clock, never throws.
 *
 * An event first changes the memory of its session (reduce.ts), then the state is decided again from the whole memory
 * (decide.ts). So the order in which two sources report the same change does not matter, and a duplicate changes nothing.
 */
import type { Draft, Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Outcome, Session } from '../contract/session.ts';
import { unknownSession } from '../contract/unknown-session.ts';
import { actionName } from './action.ts';
import { copyOf } from './copy.ts';
import { headRequest, requestsOf } from './request/requests.ts';
import { decide } from './decide.ts';
import { evidenceOf } from './evidence.ts';
import { isLimited, shownLimit } from './limit/limit.ts';
import { reduce } from './reduce.ts';
import { isRemote, mayChange } from '../contract/origin.ts';
import { isParkedEnd } from './park.ts';
import { paneKey, reducePlace } from './place.ts';
import { completed, emptyMemory, type Folded, isFolded, noNames } from './memory.ts';
import { inheritNames, setTitle } from './names.ts';
import { shownOutcome } from './outcome/outcome.ts';
import { ownEvent } from './own-event.ts';
import type { Verdict } from './opinion.ts';
import { type Budgets, defaultBudgets, timing, trailLength } from './timing.ts';

/** The sessions that the fold has produced so far. */
export interface Sessions {
  get: (id: string) => Folded | undefined;
  /** The session that runs in a pane now. */
  inPane: (key: string) => Folded | undefined;
  /** The session that a process runs now. */
  ofPid: (pid: number) => Folded | undefined;
}

/** Returns the sessions that an event changed, in their new form. `payload` is the parsed payload of the event. */
export const fold = (
  sessions: Sessions,
  event: Event,
  payload: Hook | null,
  budgets: Budgets = defaultBudgets,
): Folded[] => {
  // An action of a caller says nothing about the state of the session.
  if (!event.sessionId || (event.source === 'drover' && event.name === actionName)) return [];
  if (event.source === 'drover' && event.name === snapshotName) return snapshotOf(event, payload);
  const hook = payload ?? {};
  const before = sessions.get(event.sessionId) ?? newSession(event.sessionId, event);
  if (!mayChange(event, before)) return [];
  if (isBorrowedId(sessions, before, event, hook) || isEndByOtherProcess(before, event)) return [];
  if (isFormerFile(before, event)) return [];
  const after = copyOf(before);
  reducePlace(after, event, hook);
  reduce(after, event, hook);
  after.memory.spooled = before.memory.spooled || isSpooled(event);
  settle(before, after, event, hook, budgets);
  return [after, ...supersede(sessions, after, event, hook)];
};

/** The event that retention writes in place of older events: the state of a session at the cut. */
export const snapshotName = 'Snapshot';

/** Builds such an event for a session. */
export const snapshotDraft = (session: Folded): Draft =>
  ownEvent(snapshotName, session.id, session.touched, { session });

const snapshotOf = (event: Event, payload: Hook | null): Folded[] => {
  const session = payload?.session as Folded | undefined;
  if (session?.id !== event.sessionId || typeof session?.memory !== 'object') return [];
  const whole = completed(session, newSession(session.id, event));
  if (!isFolded(whole)) return [];
  setTitle(whole);
  return [whole];
};

/** Decides the state and writes it into the session. */
const settle = (before: Folded, session: Folded, event: Event, hook: Hook, budgets: Budgets): void => {
  const { verdict, due, stalled, silent } = decide(before, session, event, hook, budgets);
  session.stalled = stalled;
  session.hooks = silent ? 'silent' : 'live';
  if (isSignOfLife(event)) session.touched = Math.max(session.touched, event.at);
  session.seq = event.seq;
  session.memory.due = due;
  if (verdict) apply(session, verdict);
  noteFailure(session);
  session.outcome = sameOr(session.outcome, shownOutcome(session, budgets.questions));
  listRequests(before, session);
  describeHead(session);
  setTitle(session);
};

/** Whether it is something that the session did: not what Drover logs, or the sweep finds out about its end, perhaps days later. */
const isSignOfLife = ({ source, name }: Event): boolean =>
  source !== 'drover' && !(source === 'sweep' && ['ProcessGone', 'PaneGone', 'Lost'].includes(name));

/** Shows why the last turn failed. A message for the reset is dropped when another turn has begun. */
const noteFailure = (session: Folded): void => {
  const { state, reason, memory } = session;
  session.failure = state === 'waiting' && reason === 'failed' ? (memory.end?.failure ?? null) : null;
  if (state === 'ended' || !isLimited(memory)) session.continuation = null;
  session.limit = shownLimit(session);
};

/** The former value if it equals the new one. */
const sameOr = (before: Outcome | null, after: Outcome | null): Outcome | null =>
  before?.rule === after?.rule && before?.sentence === after?.sentence ? before : after;

/** Lists the open requests again if they changed. `detail` describes the first. */
const listRequests = (before: Folded, session: Folded): void => {
  const { requests, holds } = session.memory;
  const isSame =
    before.memory.requests === requests && before.memory.holds === holds && before.state === session.state;
  if (isSame) return;
  session.requests = session.state === 'ended' ? [] : requestsOf(session.memory);
  const deadlines = session.requests.flatMap(({ deadline }) => deadline ?? []);
  session.deadline = deadlines.length > 0 ? Math.min(...deadlines) : null;
  const [head] = session.requests;
  session.pending = head && head.until !== null ? { id: head.id, tool: head.tool, until: head.until } : null;
};

/** Describes a waiting session by its first request, whichever request made it wait. */
const describeHead = (session: Folded): void => {
  const { state, detail, requests, memory } = session;
  const [head] = requests;
  if (state !== 'waiting' || !head || (detail?.request ?? head.id) === head.id) return;
  const asked = headRequest(memory);
  if (asked) apply(session, { state, reason: asked.kind, detail: asked.detail, evidence: asked.evidence });
};

const apply = (session: Folded, { state, reason, detail, evidence }: Verdict): void => {
  const sameState = state === session.state;
  if (sameState && reason === session.reason) {
    // Another request is shown now, and its event is the evidence.
    if (detail && detail.request !== session.detail?.request) session.evidence = evidence;
    session.detail = detail ?? session.detail;
    return;
  }
  const { memory } = session;
  memory.trail = [...memory.trail, { at: evidence.at, state, reason, evidence }].slice(-trailLength);
  if (state === 'ended') {
    memory.replaced = null;
    session.memoryBytes = null;
  } else if (session.state === 'ended') session.next = null;
  session.parked = state === 'ended' && isParkedEnd(memory, reason, evidence.at);
  session.state = state;
  session.reason = reason;
  session.detail = detail;
  session.evidence = evidence;
  if (!sameState) session.since = evidence.at;
};

const newSession = (id: string, event: Event): Folded => {
  const evidence = evidenceOf(event);
  const trail = [{ at: event.at, state: 'ready' as const, reason: null, evidence }];
  const origin = event.context.origin ?? null;
  return {
    ...unknownSession(id, evidence),
    origin,
    names: noNames,
    memory: { ...emptyMemory(event.at), trail },
  };
};

/** Whether a hook came through the spool of this machine. */
const isSpooled = ({ source, context }: Event): boolean => source === 'hook' && !context.posted;

/**
 * Whether a SessionStart names the wrong session: with `--fork-session` it carries the id of the forked session, but comes from
 * the process of the new one. The file of that process, or the running process of the old session, shows it.
 */
const isBorrowedId = (sessions: Sessions, session: Folded, event: Event, hook: Hook): boolean => {
  if (event.source !== 'hook' || event.name !== 'SessionStart' || hook.source !== 'resume') return false;
  const { pid } = event.context;
  if (pid === undefined) return false;
  const runs = sessions.ofPid(pid);
  // At first only a file without a status is known of a session.
  const { file, hooked, requests } = runs?.memory ?? { file: null, hooked: 1, requests: [] };
  const ownFile = file !== null || (hooked === 0 && requests.length === 0);
  if (runs && runs.id !== session.id && runs.state !== 'ended' && ownFile) return true;
  return (
    session.state !== 'ended' && session.pid !== null && session.pid !== pid && session.memory.file !== null
  );
};

/** Whether a SessionEnd comes from a process that does not run the session. */
const isEndByOtherProcess = (session: Folded, { source, name, context }: Event): boolean =>
  source === 'hook' &&
  name === 'SessionEnd' &&
  context.pid !== undefined &&
  session.pid !== null &&
  context.pid !== session.pid &&
  session.state !== 'ended';

/** Whether a file that is gone was that of an earlier process: a resumed CLI removes what a killed one has left behind. */
const isFormerFile = ({ pid }: Folded, { source, name, context }: Event): boolean =>
  source === 'file' &&
  name === 'FileGone' &&
  context.pid !== undefined &&
  pid !== null &&
  context.pid !== pid;

/** Returns the session that this one replaced, with its new state: same process, different id. */
const supersede = (sessions: Sessions, session: Folded, event: Event, hook: Hook): Folded[] => {
  if (session.state === 'ended' || session.memory.replaced) return [];
  const predecessor = predecessorOf(sessions, session, event);
  if (!predecessor || predecessor.id === session.id || predecessor.next === session.id) return [];
  const cleared = predecessor.reason === 'clear' || hook.source === 'clear';
  if (predecessor.state === 'ended' && (!cleared || predecessor.next)) return [];
  inherit(session, predecessor);
  if (predecessor.state === 'ended') return [{ ...predecessor, next: session.id, seq: event.seq }];
  const evidence = evidenceOf(event);
  const gone = copyOf(predecessor);
  gone.next = session.id;
  gone.seq = event.seq;
  // Only the file has reported it so far. The SessionEnd that is on its way gives the reason.
  const endsAt = evidence.at + timing.endAlone;
  const { hooked, settled, due } = predecessor.memory;
  if (event.source === 'file' && hooked > 0 && predecessor.hooks === 'live' && settled < endsAt) {
    gone.memory.replaced = evidence;
    gone.memory.due = Math.min(due ?? endsAt, endsAt);
    return [gone];
  }
  gone.memory.due = null;
  apply(gone, { state: 'ended', reason: cleared ? 'clear' : 'exit', detail: null, evidence });
  return [gone];
};

/** Copies what people and programs set for the session that it replaced. */
const inherit = (session: Folded, before: Folded): void => {
  if (before.approvals === 'held') session.approvals = 'held';
  if (before.managed) session.managed = true;
  if (before.driven) session.driven = true;
  session.name ??= before.name;
  inheritNames(session, before);
  // The same pane, with more known about it. A process stays in its pane, so it is also that of a session whose pane is not known yet.
  if (before.pane && (!session.pane || paneKey(before.pane) === paneKey(session.pane)))
    session.pane = before.pane;
};

const predecessorOf = (sessions: Sessions, session: Session, event: Event): Folded | undefined => {
  if (isRemote(session)) return undefined;
  const { pid } = event.context;
  const samePid = pid === undefined ? undefined : sessions.ofPid(pid);
  if (samePid && samePid.id !== session.id) return samePid;
  // Before 2.1.214 hooks do not name their process, so only the pane shows a `/clear`.
  if (event.name !== 'SessionStart' || !session.pane || session.headless) return undefined;
  const samePane = sessions.inPane(paneKey(session.pane));
  return samePane?.reason === 'clear' ? samePane : undefined;
};
