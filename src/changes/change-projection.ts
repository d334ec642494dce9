/** Writes the changes of files into their table, in the transaction of the event that reports them. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Commit, View } from '../live/loop.ts';
import type { ChangeRow } from '../store/change-table.ts';
import { inferredTool } from '../store/change-table.ts';
import type { Store } from '../store/store.ts';
import { inferredName, inferredOf } from './inferred-event.ts';
import { toolChange } from './tool-change.ts';

/** The hook that begins a turn. */
export const promptName = 'UserPromptSubmit';

export class ChangeProjection implements View {
  readonly name = 'changes';
  /** The newest prompt of each session, by its event. */
  private readonly turns = new Map<string, number>();

  constructor(private readonly store: Pick<Store, 'changes' | 'log'>) {}

  onCommit({ event, payload, changed }: Commit): void {
    if (!mayReport(event)) return;
    const { sessionId } = event;
    // An event that the fold rejected does not belong to the session.
    if (sessionId === null || !payload || !changed.some(({ after }) => after.id === sessionId)) return;
    if (event.name === promptName) this.remember(sessionId, event.seq);
    else this.write(event, payload, sessionId);
  }

  /** Writes the changes that an event of the log reports. */
  write(event: Event, payload: Hook, sessionId: string): void {
    const rows =
      event.source === 'drover'
        ? inferredRows(event, payload, sessionId)
        : this.rowOf(event, payload, sessionId);
    for (const row of rows) this.store.changes.add(row);
  }

  /** The prompt to which an event belongs; null when the log has none. */
  turnOf(sessionId: string, seq: number): number | null {
    const known = this.turns.get(sessionId);
    return known !== undefined && known < seq ? known : this.store.log.lastOf(sessionId, promptName, seq);
  }

  private rowOf(event: Event, payload: Hook, sessionId: string): ChangeRow[] {
    const change = toolChange(payload);
    if (!change) return [];
    const { seq, at } = event;
    return [{ ...change, seq, at, sessionId, turn: this.turnOf(sessionId, seq) }];
  }

  private remember(sessionId: string, seq: number): void {
    if (this.turns.size >= rememberedTurns) this.turns.clear();
    this.turns.set(sessionId, seq);
  }
}

/** Sessions whose turn is remembered; that of others is read from the log. */
const rememberedTurns = 10_000;

/** Whether an event may report a change, or begins a turn. */
export const mayReport = ({ source, name }: Event): boolean =>
  source === 'hook'
    ? name === 'PostToolUse' || name === promptName
    : source === 'drover' && name === inferredName;

const inferredRows = ({ seq, at }: Event, payload: Hook, sessionId: string): ChangeRow[] => {
  const { turn, files } = inferredOf(payload);
  return files.map(({ path, isNew }) => ({
    seq,
    path,
    sessionId,
    at,
    turn,
    tool: inferredTool,
    isNew,
    added: 0,
    removed: 0,
    patch: null,
    isCut: false,
  }));
};
