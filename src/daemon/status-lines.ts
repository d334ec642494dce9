/** Takes the status lines of sessions: their cost and quota, and writes the figures that a status line shows. */
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { writePrivate } from '../files/private-file.ts';
import { LateStatusLines } from '../hook/late-status-lines.ts';
import { parseObject } from '../hook/payload.ts';
import type { Commit } from '../live/loop.ts';
import { StatusFacts } from '../live/status-facts.ts';
import { firstMidnight } from '../session/history/stats.ts';
import { queueOf } from '../session/queue/queue.ts';
import type { AsyncEngine } from '../usage/messages.ts';
import { costReportOf, statusLineFacts } from '../usage/status-line.ts';
import type { Core } from './core.ts';

export class StatusLines {
  private readonly facts: StatusFacts;
  private readonly late: LateStatusLines;
  private timer: NodeJS.Timeout | null = null;
  private written = '';
  private isClosed = false;

  constructor(
    private readonly core: Core,
    private readonly engine: () => AsyncEngine,
  ) {
    this.facts = new StatusFacts(core.loop);
    this.late = new LateStatusLines(core.paths.statusLineSeen, (payload, at, pid) =>
      this.record(payload, at, pid),
    );
  }

  /** Called for each status line that has arrived. Those of other machines are left out. */
  take(draft: Draft): void {
    if (this.isClosed || draft.context.host || draft.context.origin) return;
    const pid = draft.context.pid ?? null;
    this.late.catchUp(draft, pid);
    this.record(draft.raw, draft.at, pid);
    if (draft.sessionId !== null) this.late.scheduleRead(draft.sessionId, pid);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.writeFigures().catch(error => this.core.log.error('the status line was not updated', error));
    }, limits.usage.facts).unref();
  }

  start(): void {
    this.late.clean(this.core.clock.now());
  }

  onCommit(commit: Commit): void {
    this.facts.onCommit(commit);
  }

  close(): void {
    this.isClosed = true;
    this.late.close();
    if (this.timer) clearTimeout(this.timer);
  }

  private record(payload: Uint8Array, at: number, pid: number | null): void {
    if (this.isClosed) return;
    const statusLine = parseObject(payload);
    this.facts.take(statusLine, at);
    const report = costReportOf(statusLine, at, pid);
    if (report)
      this.engine()
        .addCostReport(report)
        .catch(error => this.core.log.error('the cost of a session was not recorded', error));
  }

  /** Writes what the status line shows. Nobody needs it unless a status line runs. */
  private async writeFigures(): Promise<void> {
    const { paths, loop, clock } = this.core;
    const { total } = await this.engine().report({
      by: 'model',
      split: null,
      since: firstMidnight(clock.now(), 1),
    });
    const waiting = queueOf(loop.sessionIndex.live(), clock.now()).length;
    const text = statusLineFacts(total.cost ?? 0, waiting);
    if (text === this.written || this.isClosed) return;
    writePrivate(paths.statusLineFacts, text);
    this.written = text;
  }
}
