/**
 * Where the turns of sessions ended, by their hooks. A session's state shows only its last turn, and a prompt that was waiting
 * starts the next one at once: this keeps the end of the earlier turn.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { isClockStep } from '../../session/clock-step.ts';
import { isAfterStart, type TurnStart } from '../../session/message/message.ts';

export interface End {
  at: number;
  seq: number;
  kind: 'stopped' | 'failed';
  text: string | null;
  /** Another turn has begun or ended since: this one cannot continue. */
  closed: boolean;
}

/** An event with its parsed payload. */
export interface HookFact {
  event: Event;
  payload: Hook | null;
}

/** Ends kept for each session: more than the prompts that may wait for it. */
const maxEnds = 200;

export class TurnEnds {
  private readonly bySession = new Map<string, End[]>();

  /** Starts to remember the ends of a session; `earlier` gives those that were before. */
  follow(id: string, earlier: () => Iterable<HookFact>): void {
    if (this.bySession.has(id)) return;
    this.bySession.set(id, []);
    for (const fact of earlier()) this.onEvent(fact);
  }

  forget(id: string): void {
    this.bySession.delete(id);
  }

  onEvent({ event, payload }: HookFact): void {
    if (isClockStep(event)) this.move(event.sessionId ?? '', Number(payload?.by));
    const ends = event.source === 'hook' ? this.bySession.get(event.sessionId ?? '') : undefined;
    const isEnd = event.name === 'Stop' || event.name === 'StopFailure';
    if (!ends || !(isEnd || event.name === 'UserPromptSubmit')) return;
    if (typeof payload?.agent_id === 'string') return;
    const last = ends.at(-1);
    // A Stop hook kept the turn from ending: it continued, and this is its real end.
    if (isEnd && payload?.stop_hook_active === true && last && !last.closed) ends.pop();
    else if (last) last.closed = true;
    if (!isEnd) return;
    const text = payload?.last_assistant_message ?? payload?.message;
    ends.push({
      at: event.at,
      seq: event.seq,
      kind: event.name === 'Stop' ? 'stopped' : 'failed',
      text: typeof text === 'string' ? text : null,
      closed: false,
    });
    if (ends.length > maxEnds) ends.shift();
  }

  /** The end of the turn that began there; undefined while it is not known. */
  after(id: string, start: TurnStart): End | undefined {
    return this.bySession.get(id)?.find(end => isAfterStart(end, start));
  }

  /** The clock was set: later times are compared with these. */
  private move(id: string, by: number): void {
    for (const end of this.bySession.get(id) ?? []) end.at += by || 0;
  }
}
