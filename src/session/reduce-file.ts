/** What Claude's own session file adds to the memory of its session. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { State } from '../contract/session.ts';
import { clearAsks } from './asks.ts';
import { eventTime } from './event-time.ts';
import { evidenceOf } from './evidence.ts';
import { emptyMemory, type Memory } from './memory.ts';
import { lagAtMost, slack } from './timing.ts';

export const reduceFile = (memory: Memory, state: State, event: Event, file: Hook): void => {
  const { status } = file;
  const startedAt = typeof file.startedAt === 'number' ? eventTime(file.startedAt, event.seen) : null;
  // A process that is younger than the session's last run: it was resumed, and what was is over.
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
  // A menu that a person opens is no work.
  const atWork = status === 'busy' || (status === 'waiting' && waitingFor !== 'dialog open');
  if (status !== 'waiting') {
    // The dialogs that stood before this moment are gone. Hook times are those of files, some milliseconds late.
    const sure = before === 'waiting' || status === 'idle';
    memory.cleared = Math.max(memory.cleared, event.at - (sure ? 0 : slack));
    clearAsks(memory, event, status === 'idle' ? 'deny' : null);
  }
  if (atWork && before !== 'waiting' && before !== 'busy') noteUntold(memory, event);
  // A session that was here before any hook: how long it has been tells whether its hooks are silent.
  if (memory.hooked === 0 && startedAt !== null) memory.began = Math.min(memory.began, startedAt);
  if (status === 'busy') memory.progress = Math.max(memory.progress, event.at);
  memory.leaving = false;
  const lag = Math.min(Math.max(event.seen - event.at, 0), lagAtMost);
  memory.file = { status, waitingFor, evidence: evidenceOf(event), lag };
};

/** Work that no hook told: its beginning stands for the prompt. An interrupt tells no hook, so an end says nothing. */
const noteUntold = (memory: Memory, event: Event): void => {
  const { at } = event;
  if (at - memory.hooked <= 1_000) return;
  if (at >= memory.prompted) memory.prompt = evidenceOf(event);
  memory.prompted = Math.max(memory.prompted, at);
  memory.unhooked = at;
};
