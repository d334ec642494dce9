/** When each session ran shell commands in its present turn, by its hooks. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { limits } from '../limits.ts';

export interface Period {
  from: number;
  /** Null while it runs. */
  to: number | null;
}

interface Call extends Period {
  id: string | null;
}

export class ShellPeriods {
  private readonly calls = new Map<string, Call[]>();

  /** Called for each hook of a session. */
  onHook(sessionId: string, { name, at }: Event, payload: Hook): void {
    if (payload.tool_name !== 'Bash') return;
    const { tool_use_id: id } = payload as { tool_use_id?: string };
    if (name === 'PreToolUse') this.begin(sessionId, { id: id ?? null, from: at, to: null });
    if (name === 'PostToolUse' || name === 'PostToolUseFailure') this.end(sessionId, id ?? null, at, payload);
  }

  /** Returns the periods of the turn, and forgets them. One that still runs in the background lasts until `now`. */
  take(sessionId: string, now: number): { from: number; to: number }[] {
    const calls = this.calls.get(sessionId) ?? [];
    this.calls.delete(sessionId);
    return calls.map(({ from, to }) => ({ from, to: to ?? now }));
  }

  forget(sessionId: string): void {
    this.calls.delete(sessionId);
  }

  private begin(sessionId: string, call: Call): void {
    const calls = this.calls.get(sessionId) ?? [];
    this.calls.set(sessionId, [...calls, call].slice(-limits.changes.shellPeriods));
  }

  private end(sessionId: string, id: string | null, at: number, { tool_input }: Hook): void {
    // The result of a command in the background arrives at once; the command keeps running.
    if ((tool_input as { run_in_background?: unknown } | undefined)?.run_in_background === true) return;
    const call = this.calls
      .get(sessionId)
      ?.findLast(one => one.to === null && (id === null || one.id === id));
    if (call) call.to = at;
  }
}

/** Whether a file that changed at this time was changed in one of the periods. */
export const isWithin = (periods: { from: number; to: number }[], time: number): boolean =>
  periods.some(
    ({ from, to }) => time >= from - limits.changes.fileTime && time <= to + limits.changes.fileTime,
  );
