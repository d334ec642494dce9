/**
 * Decides the state of a session from its memory. The precedence of the sources is defined here and nowhere else:
 *
 * 1. Death and SessionEnd end a session. Only a later start, prompt or tool call revives it.
 * 2. Claude's session file says whether the session works, waits or is idle, also where no hook fires.
 * 3. Hooks say why, and what is requested. They arrive first, so a hook overrules an older file for as long as the file
 *    usually takes (timing.ts).
 * 4. Without a file the hooks decide alone.
 * 5. The transcript distinguishes an interrupt from an answer when no Stop arrived. Without a file it also shows that a session
 *    continued after its Stop.
 * 6. The screen counts only where there is neither hook nor file: for start-up dialogs.
 *
 * A state that one source alone reports is tentative: it counts only if nothing contradicts it for a while, and until then
 * the session keeps its state. So a race between two sources never shows a wrong state.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Stall } from '../contract/session.ts';
import { textDetail } from './request/detail.ts';
import { evidenceOf } from './evidence.ts';
import { launchEvents } from './launch.ts';
import type { Folded, Memory } from './memory.ts';
import { opinionOf, type Verdict } from './opinion.ts';
import { type Budgets, timing } from './timing.ts';

export interface Decision {
  /** Null: no change. */
  verdict: Verdict | null;
  /** When to decide again, ms. */
  due: number | null;
  stalled: Stall | null;
  silent: boolean;
}

export const decide = (
  before: Folded,
  session: Folded,
  event: Event,
  hook: Hook,
  budgets: Budgets,
): Decision => {
  const over = endedBy(session, event, hook);
  if (over) return finalDecision(over);
  const revived = before.state === 'ended';
  if (revived && !revives(before, event, hook)) return finalDecision(null);

  const { memory } = session;
  // Only a `Settled` event shows that time has passed: it is recorded after the sources were read.
  const now = memory.settled;
  const { replaced } = memory;
  const goneFrom = replaced ? replaced.at + timing.endAlone : null;
  if (replaced && goneFrom !== null && now >= goneFrom)
    return finalDecision({ state: 'ended', reason: 'exit', detail: null, evidence: replaced });
  const silentAt = silentFrom(memory);
  const silent = silentAt !== null && now >= silentAt;
  const opinion = opinionOf({ ...session, hooks: silent ? 'silent' : 'live' }, now, budgets);
  const hasOpinionBegun = now >= (opinion.from ?? 0);
  // A revived session is ready until its sources say more. The event that revived it is the evidence.
  const revivedVerdict = { state: 'ready' as const, reason: null, detail: null, evidence: evidenceOf(event) };
  const verdict =
    revived && !(hasOpinionBegun && opinion.state !== 'ready')
      ? revivedVerdict
      : hasOpinionBegun
        ? opinion
        : null;
  const state = verdict?.state ?? before.state;
  const stall = state === 'working' ? stallOf(memory, budgets) : null;
  const dueTimes = [hasOpinionBegun ? opinion.until : opinion.from, stall?.from, silentAt, goneFrom].filter(
    (time): time is number => time !== undefined && time !== null && time > now,
  );
  return {
    verdict,
    due: dueTimes.length ? Math.min(...dueTimes) : null,
    stalled: stall && now >= stall.from ? stall.mark : null,
    silent,
  };
};

/** A decision after which nothing is due. */
const finalDecision = (verdict: Verdict | null): Decision => ({
  verdict,
  due: null,
  stalled: null,
  silent: false,
});

const endedBy = (session: Folded, event: Event, hook: Hook): Verdict | null => {
  const evidence = evidenceOf(event);
  if (event.source === 'hook' && event.name === 'SessionEnd')
    return { state: 'ended', reason: hook.reason === 'clear' ? 'clear' : 'exit', detail: null, evidence };
  // The hub stopped it, and the CLI fired no SessionEnd.
  if (event.source === 'drover' && event.name === 'Stopped' && session.state !== 'ended')
    return { state: 'ended', reason: 'killed', detail: null, evidence };
  if (event.source === 'drover' && event.name === launchEvents.failed && session.state !== 'ended')
    return { state: 'ended', reason: 'lost', detail: textDetail(hook.message), evidence };
  if (event.source !== 'sweep' || session.state === 'ended') return null;
  if (event.name === 'ProcessGone' && (session.pid === null || hook.pid === session.pid)) {
    // With live hooks a SessionEnd would have arrived. Without, a removed session file shows a normal exit.
    const mute = session.memory.hooked === 0 || session.hooks === 'silent';
    const orderly = session.memory.leaving || (mute && hook.left === true);
    return { state: 'ended', reason: orderly ? 'exit' : 'killed', detail: null, evidence };
  }
  if (event.name === 'PaneGone' || event.name === 'Lost')
    return { state: 'ended', reason: 'lost', detail: null, evidence };
  return null;
};

/** Whether an event revives an ended session. Hooks run in parallel: one from before the end may arrive after it. */
const revives = (before: Folded, event: Event, hook: Hook): boolean => {
  if (event.source === 'drover') return event.name === launchEvents.intended;
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

const stallOf = (memory: Memory, budgets: Budgets): { from: number; mark: Stall } => ({
  from: memory.progress + (memory.tool ? budgets.tool : budgets.between),
  mark: { since: memory.progress, tool: memory.tool, queued: budgets.queue },
});

/** Returns the time from which the hooks of a session count as silent; null while they arrive. */
const silentFrom = (memory: Memory): number | null => {
  // No hook runs before the dialogs of a start are answered, or while the CLI is still loading.
  if (!memory.file && memory.hooked === 0) return null;
  if (memory.hooked === 0) return memory.began + timing.silent;
  return memory.unhooked > memory.hooked + 1_000 ? memory.unhooked + timing.silent : null;
};
