/** Applies the transcript to the memory: the tokens in use, and how a turn ended whose Stop did not arrive. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { textDetail } from './request/detail.ts';
import { evidenceOf } from './evidence.ts';
import { failureOf, limitOf } from './limit/limit.ts';
import { failureOutcome, hookOutcome, outcomeOf } from './outcome/outcome.ts';
import type { Folded, Memory, TurnEnd } from './memory.ts';

export const reduceUsage = (session: Folded, payload: Hook): void => {
  const { tokens, window, percent, windowSource } = payload as Record<string, unknown>;
  if (typeof tokens !== 'number') {
    session.context = null;
    return;
  }
  if (typeof payload.model === 'string') session.model = payload.model;
  session.context = {
    tokens,
    window: typeof window === 'number' ? window : null,
    percent: typeof percent === 'number' ? percent : null,
    windowSource:
      windowSource === 'learned' || windowSource === 'measured' || windowSource === 'assumed'
        ? windowSource
        : null,
  };
};

const endings: { [name: string]: TurnEnd['kind'] | undefined } = {
  Interrupted: 'interrupted',
  Answered: 'stopped',
  Failed: 'failed',
};

/** The transcript has lines of a newer turn. */
export const progressName = 'Progressed';

/** A Stop hook ended the turn, or blocked its end too often. Only the transcript says so. */
export const hookStopName = 'StoppedByHook';

export const reduceTranscript = (memory: Memory, event: Event, payload: Hook): void => {
  if (event.name === hookStopName) return noteHookStop(memory, payload);
  if (event.name === progressName) return noteProgress(memory, event);
  const kind = endings[event.name];
  if (!kind || event.at < memory.prompted || !isOpen(memory, event)) return;
  // An answer without a Stop: hooks do not arrive.
  if (event.name === 'Answered') memory.unhooked = Math.max(memory.unhooked, event.at);
  const failure = kind === 'failed' ? failureOf(payload.error, payload.message) : null;
  memory.end = {
    kind,
    detail: textDetail(payload.message),
    outcome: kind === 'stopped' ? outcomeOf(payload.message) : failureOutcome(failure, payload.message),
    failure,
    limit: limitOf(failure, payload.message, event.at),
    tasks: [],
    evidence: evidenceOf(event),
  };
};

const noteHookStop = (memory: Memory, payload: Hook): void => {
  const { end, prompted } = memory;
  if (end?.kind !== 'stopped' || end.evidence.at < prompted) return;
  memory.end = { ...end, outcome: hookOutcome(payload.reason) };
};

/** The session continued after its Stop, and no hook reported it. If there is a session file, that decides. */
const noteProgress = (memory: Memory, event: Event): void => {
  const { end, prompted, file } = memory;
  if (file !== null || !end || end.evidence.at < prompted || event.at <= end.evidence.at) return;
  memory.prompted = event.at;
  memory.turn = event.at;
  memory.prompt = evidenceOf(event);
  memory.progress = Math.max(memory.progress, event.at);
  memory.unhooked = Math.max(memory.unhooked, event.at);
};

/** Whether the end of the last turn is not known yet, or only from an older line of the transcript. */
const isOpen = ({ end, prompted }: Memory, event: Event): boolean =>
  !end ||
  end.evidence.at < prompted ||
  end.kind === 'interrupted' ||
  (end.evidence.source === 'transcript' && end.evidence.at < event.at);
