/** Limits how often an agent may keep a session going, in one turn and in an hour, so that the two do not loop. */
import type { WakeAgent } from '../../contract/wake.ts';
import type { WakeTable } from '../../store/wake-table.ts';

const hour = 3_600_000;

/** Prefix of the record of a wake that blocked, from which the count of the last hour is restored after a restart. */
export const blocked = 'blocked: ';

export class Blocks {
  /** Blocks in the current turn, by session. */
  private readonly chains = new Map<string, number>();
  /** Times of blocks, by agent. */
  private readonly times = new Map<string, number[]>();

  constructor(private readonly table: Pick<WakeTable, 'newest'>) {}

  /** Why the agent may not block again; null when it may. `active`: a hook has already kept this turn going. */
  whyDenied({ id, settings }: WakeAgent, sessionId: string, active: boolean, now: number): string | null {
    if (!active) this.chains.delete(sessionId);
    const inTurn = Math.max(this.chains.get(sessionId) ?? 0, active ? 1 : 0);
    if (settings.max_blocks !== null && inTurn >= settings.max_blocks)
      return `it was blocked ${inTurn} times in this turn`;
    return this.whyDeniedThisHour({ id, settings }, now);
  }

  /** The same for a compaction, which counts in its hour only. */
  whyDeniedThisHour({ id, settings }: Pick<WakeAgent, 'id' | 'settings'>, now: number): string | null {
    const { blocks_per_hour: most } = settings;
    const inHour = this.timesOf(id).filter(time => time > now - hour).length;
    return most !== null && inHour >= most ? `the agent has blocked ${inHour} times in an hour` : null;
  }

  /** Counts a block. `goesOn`: the session whose turn it keeps going, or null. */
  count(agent: string, goesOn: string | null, now: number): void {
    if (this.chains.size >= chainsKept) this.chains.clear();
    if (goesOn !== null) this.chains.set(goesOn, (this.chains.get(goesOn) ?? 0) + 1);
    this.times.set(agent, [...this.timesOf(agent).filter(time => time > now - hour), now]);
  }

  private timesOf(agent: string): number[] {
    const known = this.times.get(agent);
    if (known) return known;
    const before = this.table
      .newest(1_000, agent, null)
      .filter(({ reason }) => reason?.startsWith(blocked))
      .map(({ doneAt, at }) => doneAt ?? at);
    this.times.set(agent, before);
    return before;
  }
}

const chainsKept = 10_000;
