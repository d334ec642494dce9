/**
 * What a session that lives seems to be doing, by its file and its hooks: an opinion, with the moment from which it is believed and
 * the one until which it holds. In which order the sources count stands in decide.ts.
 */
import type { Detail, Evidence, Reason, State } from '../contract/session.ts';
import { headAsk } from './asks.ts';
import { askKind, textDetail } from './detail.ts';
import type { Ask, FileSays, Folded, Memory } from './memory.ts';
import { slack, timing } from './timing.ts';

export interface Verdict {
  state: State;
  reason: Reason | null;
  detail: Detail | null;
  evidence: Evidence;
}

/** A verdict, and from when on it is believed, and until when it holds. */
export interface Opinion extends Verdict {
  from?: number;
  until?: number;
}

export const opinionOf = (session: Folded, now: number): Opinion => {
  const { memory } = session;
  const { file } = memory;
  if (!file) return byHooks(session);
  switch (file.status) {
    case 'waiting':
      return whileWaiting(memory, file, now);
    case 'busy':
      return whileBusy(session, file);
    case 'shell':
      return whileShell(session, file, now);
    case 'idle':
      return whileIdle(session, file, now);
    default:
      return byHooks(session);
  }
};

const whileWaiting = (memory: Memory, file: FileSays, now: number): Opinion => {
  const ask = headAsk(memory);
  if (ask) return asking(memory, ask);
  const { answered } = memory;
  if (answered && answered.at > file.evidence.at && now < answered.at + timing.fileLags)
    return {
      state: 'working',
      reason: null,
      detail: null,
      evidence: answered,
      until: answered.at + timing.fileLags,
    };
  const reason = waitsFor(memory, file.waitingFor);
  return {
    state: 'waiting',
    reason,
    detail: textDetail(file.waitingFor),
    evidence: file.evidence,
    ...(memory.hooked > 0 && reason !== 'dialog' && { from: file.evidence.at + file.lag + timing.waitAlone }),
  };
};

/** What a file that waits waits for, where no hook has told. */
const waitsFor = ({ tool }: Memory, waitingFor: string | null): Reason => {
  if (waitingFor === 'dialog open') return 'dialog';
  if (waitingFor === 'input needed') return tool?.startsWith('mcp__') ? 'elicitation' : 'question';
  return askKind(tool);
};

/** What was asked is on screen. A permission may be given by another hook in the same moment. */
const asking = (memory: Memory, { kind, detail, evidence }: Ask): Opinion => {
  const told = { state: 'waiting' as const, reason: kind, detail, evidence };
  if (kind !== 'permission' && kind !== 'elicitation') return told;
  if (memory.approvers === false) return { ...told, from: evidence.at + timing.askUndecided };
  const hooksTake = memory.called > 0 ? Math.max(0, evidence.at - memory.called) : 0;
  const settles = memory.approvers ? timing.askDecided : timing.askSettles;
  const slow = Math.min(hooksTake + (memory.file?.lag ?? 0), timing.askSettlesAtMost);
  const shownAt = memory.file?.status === 'waiting' ? memory.file.evidence.at : 0;
  return { ...told, from: Math.max(evidence.at, shownAt) + settles + slow };
};

const whileBusy = (session: Folded, file: FileSays): Opinion => {
  const { memory } = session;
  const ask = headAsk(memory);
  // An elicitation leaves the file of 2.1.197 busy; of all else the file will tell.
  if (ask && ask.evidence.at > file.evidence.at - slack)
    return ask.kind === 'elicitation'
      ? asking(memory, ask)
      : { ...asking(memory, ask), from: ask.evidence.at + timing.askAlone + file.lag };
  const { end } = memory;
  // A Stop that another hook blocked leaves the file busy: the turn goes on. One with tasks is over, and they go on.
  if (end && end.tasks.length > 0 && end.evidence.at >= memory.prompted) return inBackground(memory);
  const evidence = newest([file.evidence, memory.prompt, memory.answered]);
  return {
    state: 'working',
    reason: null,
    detail: null,
    evidence,
    ...(isBusyAlone(session, file) && { from: file.evidence.at + file.lag + timing.busyAlone }),
  };
};

/** Work that no prompt began. `/clear` says busy too, of the old id and of the new one, for a moment. */
const isBusyAlone = ({ memory, hooks, started }: Folded, file: FileSays): boolean => {
  const { hooked, prompted, prompt, end } = memory;
  if (hooked === 0) return file.evidence.at < started + 1_000;
  if (hooks === 'silent') return false;
  const over = end !== null && end.evidence.at >= prompted && file.evidence.at > end.evidence.at;
  return prompted === 0 || over || prompt?.source === 'file';
};

const newest = ([first, ...rest]: [Evidence, ...(Evidence | null)[]]): Evidence =>
  rest.reduce<Evidence>((best, next) => (next && next.at >= best.at ? next : best), first);

const whileShell = (session: Folded, file: FileSays, now: number): Opinion => {
  const { memory } = session;
  if (memory.end && memory.end.evidence.at >= memory.prompted && memory.end.tasks.length > 0)
    return inBackground(memory);
  return whileIdle(session, file, now);
};

const inBackground = (memory: Memory): Opinion => {
  const end = memory.end as NonNullable<Memory['end']>;
  const holds = end.tasks.every(task => task === 'shell') ? timing.shellHolds : timing.taskHolds;
  const until = Math.max(end.evidence.at, memory.progress) + holds;
  if (memory.settled >= until)
    return { state: 'waiting', reason: 'stopped', detail: end.detail, evidence: end.evidence };
  return { state: 'background', reason: null, detail: end.detail, evidence: end.evidence, until };
};

const whileIdle = (session: Folded, file: FileSays, now: number): Opinion => {
  const { memory } = session;
  const { end, prompted } = memory;
  const idleAt = file.evidence.at;
  const heardAt = idleAt + file.lag;
  // The prompt is newer than the file: busy is on its way, unless a hook refused the prompt.
  const refused = prompted + timing.promptRefused;
  if (prompted > idleAt && !(end && end.evidence.at >= prompted) && now < refused)
    return {
      state: 'working',
      reason: null,
      detail: null,
      evidence: memory.prompt ?? file.evidence,
      until: refused,
    };
  if (prompted === 0 && !end) return { state: 'ready', reason: null, detail: null, evidence: file.evidence };
  if (end && end.evidence.at >= prompted) {
    const told = { state: 'waiting' as const, reason: end.kind, detail: end.detail, evidence: end.evidence };
    // The Stop came first and the file has not followed yet: another hook may have blocked it.
    if (idleAt < end.evidence.at - slack && end.kind === 'stopped')
      // One that has not even said busy since the prompt is late itself, and is waited for longer.
      return {
        ...told,
        from: end.evidence.at + (idleAt < prompted ? timing.fileLags : timing.stopAlone),
      };
    return end.tasks.length > 0 ? { ...told, from: heardAt + timing.idleAfterTasks } : told;
  }
  // No end was heard. Where hooks are live that is an interrupt; where they are not, the transcript will tell.
  const hooksLive = memory.hooked >= prompted - 1_000 && memory.hooked > 0;
  return {
    state: 'waiting',
    reason: hooksLive ? 'interrupted' : 'stopped',
    detail: null,
    evidence: file.evidence,
    from: heardAt + (hooksLive ? timing.idleAlone : timing.idleMute),
  };
};

const byHooks = (session: Folded): Opinion => {
  const { memory } = session;
  const { end, prompted } = memory;
  const ask = headAsk(memory);
  if (ask) return asking(memory, ask);
  if (end && end.evidence.at >= prompted) {
    if (end.tasks.length > 0) return inBackground(memory);
    const told = { state: 'waiting' as const, reason: end.kind, detail: end.detail, evidence: end.evidence };
    return end.kind === 'stopped' && end.evidence.name === 'Stop'
      ? { ...told, from: end.evidence.at + timing.stopAlone }
      : told;
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
