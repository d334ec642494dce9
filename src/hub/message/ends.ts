/**
 * Where the turns of a session ended, as its hooks tell. The state of a session shows its last turn alone, and a prompt that
 * was waiting follows at once: whoever asks for the end of a turn must not be given that of the next one.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Log } from '../../store/log.ts';

export interface End {
  at: number;
  seq: number;
  kind: 'stopped' | 'failed';
  text: string | null;
  /** Another turn has begun or ended since: this one cannot go on. */
  closed: boolean;
}

/** More prompts than may wait for a session cannot follow one another unseen. */
const kept = 200;

export class Ends {
  private readonly bySession = new Map<string, End[]>();

  /** Remembers the ends of this session from now on, and those in the log behind `after`. */
  follow(log: Log, id: string, after: number): void {
    if (this.bySession.has(id)) return;
    this.bySession.set(id, []);
    for (let cursor = after; ; ) {
      const events = log.read({ after: cursor, sessionId: id, rows: 500, bytes: 16_000_000 });
      for (const event of events) this.hear(event, parseObject(event.raw));
      const last = events.at(-1);
      if (!last) return;
      cursor = last.seq;
    }
  }

  forget(id: string): void {
    this.bySession.delete(id);
  }

  hear(event: Event, hook: Hook | null): void {
    const ends = event.source === 'hook' ? this.bySession.get(event.sessionId ?? '') : undefined;
    const isEnd = event.name === 'Stop' || event.name === 'StopFailure';
    if (!ends || !(isEnd || event.name === 'UserPromptSubmit')) return;
    if (typeof hook?.agent_id === 'string') return;
    const last = ends.at(-1);
    // A hook of somebody's had kept the turn from ending: it goes on, and this is its end.
    if (isEnd && hook?.stop_hook_active === true && last && !last.closed) ends.pop();
    else if (last) last.closed = true;
    if (!isEnd) return;
    const said = hook?.last_assistant_message ?? hook?.message;
    ends.push({
      at: event.at,
      seq: event.seq,
      kind: event.name === 'Stop' ? 'stopped' : 'failed',
      text: typeof said === 'string' ? said : null,
      closed: false,
    });
    if (ends.length > kept) ends.shift();
  }

  /** The end of the turn that began at this time; undefined while none was told. */
  after(id: string, began: number): End | undefined {
    return this.bySession.get(id)?.find(({ at }) => at >= began);
  }
}
