/** Writes what the transcript says: the tokens in use, and how a turn ended whose Stop did not arrive. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { textDetail } from './detail.ts';
import { evidenceOf } from './evidence.ts';
import type { Folded, Memory, TurnEnd } from './memory.ts';

export const reduceUsage = (session: Folded, payload: Hook): void => {
  const { tokens, window, percent } = payload as { tokens?: unknown; window?: unknown; percent?: unknown };
  if (typeof tokens !== 'number') {
    session.context = null;
    return;
  }
  if (typeof payload.model === 'string') session.model = payload.model;
  session.context = {
    tokens,
    window: typeof window === 'number' ? window : null,
    percent: typeof percent === 'number' ? percent : null,
  };
};

const endings: { [name: string]: TurnEnd['kind'] | undefined } = {
  Interrupted: 'interrupted',
  Answered: 'stopped',
  Failed: 'failed',
};

export const reduceTranscript = (memory: Memory, event: Event, payload: Hook): void => {
  const kind = endings[event.name];
  if (!kind || event.at < memory.prompted || !isOpen(memory, event)) return;
  // An answer without a Stop: hooks do not arrive.
  if (event.name === 'Answered') memory.unhooked = Math.max(memory.unhooked, event.at);
  memory.end = { kind, detail: textDetail(payload.message), tasks: [], evidence: evidenceOf(event) };
};

/** Whether the end of the last turn is not known yet, or only from an older line of the transcript. */
const isOpen = ({ end, prompted }: Memory, event: Event): boolean =>
  !end ||
  end.evidence.at < prompted ||
  end.kind === 'interrupted' ||
  (end.evidence.source === 'transcript' && end.evidence.at < event.at);
