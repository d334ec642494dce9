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
  /** Rows with the forms whose copy they have taken, as `seq via`. */
  private readonly paired = new Set<string>();
  /** Pairs found in the transaction that runs; they count when it is committed. */
  private pairing: string[] = [];

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
    const pair = this.log
      .twins(draft, now - limits.twinWindow)
      .filter(row => row.via !== context.via)
      .map(row => `${row.seq} ${context.via}`)
      .find(key => !this.paired.has(key) && !this.pairing.includes(key));
    if (!pair) return false;
    this.pairing.push(pair);
    return true;
  }

  begin(): void {
    this.pairing = [];
  }

  committed(): void {
    if (this.paired.size > limits.twinRows) this.paired.clear();
    for (const pair of this.pairing) this.paired.add(pair);
    if (this.plugged.size > limits.twinRows) this.plugged.clear();
  }
}
