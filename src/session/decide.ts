/**
 * The state of a session, from all that is remembered of it. The precedence of the sources is written here and nowhere else:
 *
 * 1. Death and SessionEnd end a session; only a later start, prompt or tool call brings it back.
 * 2. Where Claude's session file is known it says whether the session works, waits or is idle: it sees what no hook tells.
 * 3. Hooks say why, and what is asked. They are heard first, so what a hook says of a file that lags behind it holds for
 *    the moment the file needs (timing.ts).
 * 4. Without a file the hooks decide alone.
 * 5. The transcript tells an interrupt from an answer where no Stop was heard.
 * 6. A screen is looked at only where there is neither hook nor file: a dialog at the start.
 *
 * What one source alone says in passing is tentative: it is believed when it still stands a moment later, and until then
 * the session stays as it was. So two sources that race never show a wrong state.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Detail, Evidence, Reason, Stall, State } from '../contract/session.ts';
import { askKind, textDetail } from './detail.ts';
import { evidenceOf } from './evidence.ts';
import { launches } from './launch.ts';
import type { Ask, FileSays, Folded, Memory } from './memory.ts';
import { type Budgets, slack, timing } from './timing.ts';

export interface Verdict {
  state: State;
  reason: Reason | null;
  detail: Detail | null;
  evidence: Evidence;
}

export interface Decision {
  /** Null: as it was. */
  verdict: Verdict | null;
  /** When to look again, ms. */
  due: number | null;
  stalled: Stall | null;
  silent: boolean;
}

/** A verdict, and from when on it is believed, and until when it holds. */
interface Opinion extends Verdict {
  from?: number;
  until?: number;
}

export const decide = (
  before: Folded,
  session: Folded,
  event: Event,
  hook: Hook,
  budgets: Budgets,
): Decision => {
  const over = endedBy(session, event, hook);
  if (over) return final(over);
  const revived = before.state === 'ended';
  if (revived && !revives(before, event, hook)) return final(null);

  const { memory } = session;
  // Only a `Settled` says that time has passed: it comes after everything that the sources had to tell until then.
  const now = memory.settled;
  const { replaced } = memory;
  const goneFrom = replaced ? replaced.at + timing.endAlone : null;
  if (replaced && goneFrom !== null && now >= goneFrom)
    return final({ state: 'ended', reason: 'exit', detail: null, evidence: replaced });
  const opinion = opinionOf(session, now);
  const believed = now >= (opinion.from ?? 0);
  // What brought it back is what says that it is ready.
  const back = { state: 'ready' as const, reason: null, detail: null, evidence: evidenceOf(event) };
  const verdict = revived && !(believed && opinion.state !== 'ready') ? back : believed ? opinion : null;
  const state = verdict?.state ?? before.state;
  const stall = state === 'working' ? stallOf(memory, budgets) : null;
  const mute = muteFrom(memory);
  const dues = [believed ? opinion.until : opinion.from, stall?.from, mute, goneFrom].filter(
    (time): time is number => time !== undefined && time !== null && time > now,
  );
  return {
    verdict,
    due: dues.length ? Math.min(...dues) : null,
    stalled: stall && now >= stall.from ? stall.mark : null,
    silent: mute !== null && now >= mute,
  };
};

/** Nothing more is awaited of it. */
const final = (verdict: Verdict | null): Decision => ({ verdict, due: null, stalled: null, silent: false });

const endedBy = (session: Folded, event: Event, hook: Hook): Verdict | null => {
  const evidence = evidenceOf(event);
  if (event.source === 'hook' && event.name === 'SessionEnd')
    return { state: 'ended', reason: hook.reason === 'clear' ? 'clear' : 'exit', detail: null, evidence };
  // The hub stopped it and the CLI said nothing.
  if (event.source === 'drover' && event.name === 'Stopped' && session.state !== 'ended')
    return { state: 'ended', reason: 'killed', detail: null, evidence };
  if (event.source === 'drover' && event.name === launches.failed && session.state !== 'ended')
    return { state: 'ended', reason: 'lost', detail: textDetail(hook.message), evidence };
  if (event.source !== 'sweep' || session.state === 'ended') return null;
  if (event.name === 'ProcessGone' && (session.pid === null || hook.pid === session.pid)) {
    // Where hooks are live a SessionEnd would have told; where not, a file that was taken away does.
    const mute = session.memory.hooked === 0 || session.hooks === 'silent';
    const orderly = session.memory.leaving || (mute && hook.left === true);
    return { state: 'ended', reason: orderly ? 'exit' : 'killed', detail: null, evidence };
  }
  if (event.name === 'PaneGone' || event.name === 'Lost')
    return { state: 'ended', reason: 'lost', detail: null, evidence };
  return null;
};

/** What brings an ended session back. Hooks run side by side: one that began before the end may arrive after it. */
const revives = (before: Folded, event: Event, hook: Hook): boolean => {
  if (event.source === 'drover') return event.name === launches.intended;
  if (event.at <= before.since) return false;
  if (event.source === 'hook')
    return ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest'].includes(event.name);
  // `/clear` and `/resume` rewrite the file of the old id once more before it carries the new one.
  return (
    event.source === 'file' &&
    event.name === 'FileStatus' &&
    (hook.pid !== before.pid || event.at > before.since + timing.afterEnd)
  );
};

const opinionOf = (session: Folded, now: number): Opinion => {
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
  const ask = memory.asks[0];
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
  const ask = memory.asks[0];
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
  const ask = memory.asks[0];
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

const stallOf = (memory: Memory, budgets: Budgets): { from: number; mark: Stall } => ({
  from: memory.progress + (memory.tool ? budgets.tool : budgets.between),
  mark: { since: memory.progress, tool: memory.tool, queued: budgets.queue },
});

/** From when on the hooks of a session count as not reaching us; null: they do. */
const muteFrom = (memory: Memory): number | null => {
  // No hook runs before the dialogs of a start are answered, or while the CLI is still loading.
  if (!memory.file && memory.hooked === 0) return null;
  if (memory.hooked === 0) return memory.began + timing.silent;
  return memory.unhooked > memory.hooked + 1_000 ? memory.unhooked + timing.silent : null;
};
