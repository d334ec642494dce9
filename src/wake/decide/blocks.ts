/** How often agents have made sessions go on: in one turn, and in an hour. The bound that keeps two machines from a loop. */
import type { WakeAgent } from '../../contract/wake.ts';
import type { WakeTable } from '../../store/wake-table.ts';

const hour = 3_600_000;

/** How a wake that blocked is marked in the record, so that the hour is known after a restart too. */
export const blocked = 'blocked: ';

export class Blocks {
  /** In the present turn, by session. */
  private readonly chains = new Map<string, number>();
  /** When, by agent. */
  private readonly times = new Map<string, number[]>();

  constructor(private readonly table: Pick<WakeTable, 'newest'>) {}

  /** Null when the agent may block once more, else why not. `active`: a hook has made this turn go on already. */
  bound({ id, settings }: WakeAgent, sessionId: string, active: boolean, now: number): string | null {
    if (!active) this.chains.delete(sessionId);
    const inTurn = Math.max(this.chains.get(sessionId) ?? 0, active ? 1 : 0);
    if (inTurn >= settings.max_blocks) return `it was blocked ${inTurn} times in this turn`;
    return this.hourBound({ id, settings }, now);
  }

  /** The same for what makes no turn go on: a compaction that is blocked counts in its hour alone. */
  hourBound({ id, settings }: Pick<WakeAgent, 'id' | 'settings'>, now: number): string | null {
    const inHour = this.timesOf(id).filter(time => time > now - hour).length;
    return inHour >= settings.blocks_per_hour ? `the agent has blocked ${inHour} times in an hour` : null;
  }

  /** `goesOn`: the session whose turn goes on for it; null: none does. */
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
