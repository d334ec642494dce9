/**
 * One firing, one event. Where both the plugin and a settings file register the emitter, Claude Code runs it twice with
 * the same payload; the plugin's copy is tagged, so the second of such a pair is recognised and left out.
 */
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Log } from '../store/log.ts';

export class Twins {
  /** Sessions with a plugin: only these are ever looked up. */
  private readonly plugged = new Set<string>();
  private readonly paired = new Set<number>();
  /** Pairs found in the transaction that runs; they count when it is committed. */
  private pairing: number[] = [];

  constructor(private readonly log: Log) {
    const recent = log.read({ after: Math.max(0, log.last() - 1_000), rows: 1_000, bytes: 16_000_000 });
    for (const event of recent) this.note(event);
  }

  note(event: Event): void {
    if (event.context.via && event.sessionId) this.plugged.add(event.sessionId);
  }

  /** The other copy of this firing is in the log already. */
  seenBefore(draft: Draft, now: number): boolean {
    const { sessionId, context } = draft;
    if (draft.source !== 'hook' || !sessionId || (!context.via && !this.plugged.has(sessionId))) return false;
    const twin = this.log
      .twins(draft, now - limits.twinWindow)
      .find(row => row.via !== context.via && !this.paired.has(row.seq) && !this.pairing.includes(row.seq));
    if (!twin) return false;
    this.pairing.push(twin.seq);
    return true;
  }

  begin(): void {
    this.pairing = [];
  }

  committed(): void {
    if (this.paired.size > limits.twinRows) this.paired.clear();
    for (const seq of this.pairing) this.paired.add(seq);
    if (this.plugged.size > limits.twinRows) this.plugged.clear();
  }
}
