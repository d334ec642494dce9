/**
 * What a live session seems to be doing according to its file and its hooks: an opinion, with the time from which it counts and
 * the time until which it is valid. decide.ts defines the precedence of the sources.
 */
import type { Detail, Evidence, Reason, State } from '../contract/session.ts';
import { headRequest } from './request/requests.ts';
import { requestKind, textDetail } from './request/detail.ts';
import { isLimited, limitOverAt } from './limit/limit.ts';
import type { SessionRequest, FileContent, Folded, Memory, TurnEnd } from './memory.ts';
import { delayingTasks, isShell } from './tasks.ts';
import { type Budgets, slack, timing } from './timing.ts';

export interface Verdict {
  state: State;
  reason: Reason | null;
  detail: Detail | null;
  evidence: Evidence;
}

/** A verdict, from when on it counts, and until when it is valid. */
export interface Opinion extends Verdict {
  from?: number;
  until?: number;
}

export const opinionOf = (session: Folded, now: number, budgets: Budgets): Opinion => {
  const { memory } = session;
  const { file } = memory;
  if (!file) return byHooks(session, now, budgets);
  switch (file.status) {
    case 'waiting':
      return whileWaiting(session, file, now);
    case 'busy':
      return whileBusy(session, file, budgets);
    case 'shell':
      return whileShell(session, file, now, budgets);
    case 'idle':
      return whileIdle(session, file, now);
    default:
      return byHooks(session, now, budgets);
  }
};

const whileWaiting = (session: Folded, file: FileContent, now: number): Opinion => {
  const { memory } = session;
  const request = headRequest(memory);
  if (request) return requestOpinion(memory, request);
  const { answered } = memory;
  if (answered && answered.at > file.evidence.at && now < answered.at + timing.fileLag)
    return {
      state: 'working',
      reason: null,
      detail: null,
      evidence: answered,
      until: answered.at + timing.fileLag,
    };
  const reason = waitingReason(memory, file.waitingFor);
  // 2.1.197 opens a menu when a limit is reached, in which nobody can unblock it.
  if (reason === 'dialog' && isLimited(memory)) return endOpinion(session, now);
  return {
    state: 'waiting',
    reason,
    detail: textDetail(file.waitingFor),
    evidence: file.evidence,
    ...(memory.hooked > 0 && reason !== 'dialog' && { from: file.evidence.at + file.lag + timing.waitAlone }),
  };
};

/** Returns the reason for `waiting` in a session file, where no hook has reported a request. */
const waitingReason = ({ tool }: Memory, waitingFor: string | null): Reason => {
  if (waitingFor === 'dialog open') return 'dialog';
  if (waitingFor === 'input needed') return tool?.startsWith('mcp__') ? 'elicitation' : 'question';
  return requestKind(tool);
};

/** The opinion while a request is on the screen. A permission counts only after other hooks had time to answer it. */
const requestOpinion = (memory: Memory, { kind, detail, evidence }: SessionRequest): Opinion => {
  const opinion = { state: 'waiting' as const, reason: kind, detail, evidence };
  if (kind !== 'permission' && kind !== 'elicitation') return opinion;
  if (memory.approvers === false) return { ...opinion, from: evidence.at + timing.requestSettleWithoutHook };
  const hooksTake = memory.called > 0 ? Math.max(0, evidence.at - memory.called) : 0;
  const settles = memory.approvers ? timing.requestSettleWithHook : timing.requestSettle;
  const slow = Math.min(hooksTake + (memory.file?.lag ?? 0), timing.maxRequestLag);
  const shownAt = memory.file?.status === 'waiting' ? memory.file.evidence.at : 0;
  return { ...opinion, from: Math.max(evidence.at, shownAt) + settles + slow };
};

const whileBusy = (session: Folded, file: FileContent, budgets: Budgets): Opinion => {
  const { memory } = session;
  const request = headRequest(memory);
  // An elicitation leaves the file of 2.1.197 busy. Any other request shows in the file.
  if (request && request.evidence.at > file.evidence.at - slack)
    return request.kind === 'elicitation'
      ? requestOpinion(memory, request)
      : { ...requestOpinion(memory, request), from: request.evidence.at + timing.requestAlone + file.lag };
  // After a Stop that another hook blocked the file stays busy and the turn continues. With tasks, only the tasks continue.
  if (isDelayed(memory)) return inBackground(memory, budgets);
  const evidence = newest([file.evidence, memory.prompt, memory.answered]);
  return {
    state: 'working',
    reason: null,
    detail: null,
    evidence,
    ...(isBusyAlone(session, file) && { from: file.evidence.at + file.lag + timing.busyAlone }),
  };
};

/** Whether it works without a prompt. `/clear` briefly sets the files of the old and the new id to busy too. */
const isBusyAlone = ({ memory, hooks, started }: Folded, file: FileContent): boolean => {
  const { hooked, prompted, prompt, end } = memory;
  if (hooked === 0) return file.evidence.at < started + 1_000;
  if (hooks === 'silent') return false;
  const over = end !== null && end.evidence.at >= prompted && file.evidence.at > end.evidence.at;
  return prompted === 0 || over || prompt?.source === 'file';
};

const newest = ([first, ...rest]: [Evidence, ...(Evidence | null)[]]): Evidence =>
  rest.reduce<Evidence>((best, next) => (next && next.at >= best.at ? next : best), first);

const whileShell = (session: Folded, file: FileContent, now: number, budgets: Budgets): Opinion =>
  isDelayed(session.memory) ? inBackground(session.memory, budgets) : whileIdle(session, file, now);

/** Whether the last turn has ended and background tasks may still continue it. */
const isDelayed = (memory: Memory): boolean =>
  memory.end !== null && memory.end.evidence.at >= memory.prompted && delayingTasks(memory).length > 0;

const inBackground = (memory: Memory, budgets: Budgets): Opinion => {
  const end = memory.end as NonNullable<Memory['end']>;
  const longest = delayingTasks(memory).every(isShell) ? budgets.shell : timing.longestTask;
  const until = Math.max(end.evidence.at, memory.progress) + longest;
  if (memory.settled >= until)
    return { state: 'waiting', reason: 'stopped', detail: end.detail, evidence: end.evidence };
  return { state: 'background', reason: null, detail: end.detail, evidence: end.evidence, until };
};

const whileIdle = (session: Folded, file: FileContent, now: number): Opinion => {
  const { memory } = session;
  const { end, prompted } = memory;
  const idleAt = file.evidence.at;
  const arrivedAt = idleAt + file.lag;
  // The prompt is newer than the file: it will become busy, unless a hook rejected the prompt.
  const rejectedAt = prompted + timing.promptRefused;
  if (prompted > idleAt && !(end && end.evidence.at >= prompted) && now < rejectedAt)
    return {
      state: 'working',
      reason: null,
      detail: null,
      evidence: memory.prompt ?? file.evidence,
      until: rejectedAt,
    };
  if (prompted === 0 && !end) return { state: 'ready', reason: null, detail: null, evidence: file.evidence };
  if (end && end.evidence.at >= prompted) {
    const ended = endOpinion(session, now);
    // The Stop came first and the file has not changed yet: another hook may have blocked it.
    if (idleAt < end.evidence.at - slack && end.kind === 'stopped')
      // A file that has not become busy since the prompt is itself late, so wait longer.
      return {
        ...ended,
        from: end.evidence.at + (idleAt < prompted ? timing.fileLag : timing.stopAlone),
      };
    return delayingTasks(memory).length > 0 ? { ...ended, from: arrivedAt + timing.idleAfterTasks } : ended;
  }
  // No end arrived. With live hooks that is an interrupt; without, the transcript will show it.
  const areHooksLive = memory.hooked >= prompted - 1_000 && memory.hooked > 0;
  return {
    state: 'waiting',
    reason: areHooksLive ? 'interrupted' : 'stopped',
    detail: null,
    evidence: file.evidence,
    from: arrivedAt + (areHooksLive ? timing.idleAlone : timing.idleWithoutHooks),
  };
};

/** The opinion after a turn. One that ended at a usage limit is decided again after the reset. */
const endOpinion = (session: Folded, now: number): Opinion => {
  const { kind, limit, detail, evidence } = session.memory.end as TurnEnd;
  const over = limit && limitOverAt(session);
  return {
    state: 'waiting',
    reason: limit ? 'limit' : kind,
    detail,
    evidence,
    ...(over !== null && now < over && { until: over }),
  };
};

const byHooks = (session: Folded, now: number, budgets: Budgets): Opinion => {
  const { memory } = session;
  const { end, prompted } = memory;
  const request = headRequest(memory);
  if (request) return requestOpinion(memory, request);
  if (end && end.evidence.at >= prompted) {
    if (isDelayed(memory)) return inBackground(memory, budgets);
    const ended = endOpinion(session, now);
    return end.kind === 'stopped' && end.evidence.name === 'Stop'
      ? { ...ended, from: end.evidence.at + timing.stopAlone }
      : ended;
  }
  if (prompted > 0)
    return {
      state: 'working',
      reason: null,
      detail: null,
      evidence: newest([memory.prompt ?? session.evidence, memory.answered]),
    };
  if (memory.progress > memory.began)
    return { state: 'working', reason: null, detail: null, evidence: session.evidence };
  return {
    state: 'ready',
    reason: null,
    detail: null,
    evidence: session.state === 'ready' ? session.evidence : { ...session.evidence, at: memory.began },
  };
};
