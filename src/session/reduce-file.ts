/** Applies Claude's own session file to the memory. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { State } from '../contract/session.ts';
import { clearRequests, dropScreenRequests } from './request/requests.ts';
import { eventTime } from './event-time.ts';
import { evidenceOf } from './evidence.ts';
import { emptyMemory, type Memory } from './memory.ts';
import { maxFileLag, slack } from './timing.ts';

export const reduceFile = (memory: Memory, state: State, event: Event, file: Hook): void => {
  const { status } = file;
  const startedAt = typeof file.startedAt === 'number' ? eventTime(file.startedAt, event.seen) : null;
  // The process is younger than the last run: the session was resumed, and its old memory no longer applies.
  if (state === 'ended' && startedAt !== null && startedAt > memory.began)
    Object.assign(memory, emptyMemory(startedAt), { trail: memory.trail });
  if (event.name === 'FileGone') {
    memory.file = null;
    memory.leaving = true;
  }
  if (event.name !== 'FileStatus' || typeof status !== 'string') return;
  if (memory.file && memory.file.evidence.at > event.at) return;
  const before = memory.file?.status ?? null;
  const waitingFor = typeof file.waitingFor === 'string' ? file.waitingFor.slice(0, 200) : null;
  // A menu that a person opens is not work.
  const atWork = status === 'busy' || (status === 'waiting' && waitingFor !== 'dialog open');
  if (status === 'waiting') dropScreenRequests(memory, event);
  else {
    // Earlier dialogs are gone. Hook times are file times, a few milliseconds late.
    const sure = before === 'waiting' || status === 'idle';
    memory.cleared = Math.max(memory.cleared, event.at - (sure ? 0 : slack));
    clearRequests(memory, event, status === 'idle' ? 'deny' : null);
  }
  if (atWork && before !== 'waiting' && before !== 'busy') noteUnreported(memory, event);
  // The session may have started long before its first hook. Whether its hooks are silent is judged by its age.
  if (memory.hooked === 0 && startedAt !== null) memory.began = Math.min(memory.began, startedAt);
  if (status === 'busy') memory.progress = Math.max(memory.progress, event.at);
  memory.leaving = false;
  const lag = Math.min(Math.max(event.seen - event.at, 0), maxFileLag);
  memory.file = { status, waitingFor, pid: event.context.pid ?? null, evidence: evidenceOf(event), lag };
};

/** Records work that no hook reported; its start counts as the prompt. An unreported end is ignored: an interrupt fires no hook. */
const noteUnreported = (memory: Memory, event: Event): void => {
  const { at } = event;
  if (at - memory.hooked <= 1_000) return;
  if (at >= memory.prompted) memory.prompt = evidenceOf(event);
  if (at > memory.prompted) memory.turn = at;
  memory.prompted = Math.max(memory.prompted, at);
  memory.unhooked = at;
};
