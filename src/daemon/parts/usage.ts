/** Tokens and cost: keeps the usage engine informed, answers questions and sends notifications about budgets. */
import type { Forget } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Commit } from '../../live/loop.ts';
import { StatusFacts } from '../../live/status-facts.ts';
import { writePrivate } from '../../files/private-file.ts';
import { LateStatusLines } from '../../hook/late-status-lines.ts';
import { parseObject } from '../../hook/payload.ts';
import type { Folded } from '../../session/memory.ts';
import { queueOf } from '../../session/queue/queue.ts';
import { firstMidnight } from '../../session/history/stats.ts';
import { transcriptOf } from '../../resume/transcripts.ts';
import { usageHandlers } from '../../server/handlers/usage.ts';
import { budgetNotice } from '../../usage/budget-notice.ts';
import type { BudgetReached } from '../../usage/budgets.ts';
import type { AsyncEngine } from '../../usage/messages.ts';
import { costReportOf, statusLineFacts } from '../../usage/status-line.ts';
import { startEngine } from '../../usage/start-engine.ts';
import type { Core } from '../core.ts';
import type { Ingest } from './ingest.ts';
import type { openNotices } from './notices.ts';

export interface UsageDeps {
  notices: ReturnType<typeof openNotices>;
  ingest: Pick<Ingest, 'onStatusLine'>;
}

export const openUsage = (core: Core, { notices, ingest }: UsageDeps) => {
  const { paths, config, loop, log, dirs, clock } = core;
  let engine: { asks: AsyncEngine; startedAt: number; isAlive: boolean } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let again: NodeJS.Timeout | null = null;
  let factsTimer: NodeJS.Timeout | null = null;
  let facts = '';
  let followed = '';
  let isClosed = false;

  const onBudget = (reached: BudgetReached[]) => {
    for (const one of reached) {
      log.info('budget reached', { ...one });
      void notices.announce(budgetNotice(one, loop.sessionIndex.get(one.of)));
    }
  };
  const start = () => {
    const started = {
      asks: startEngine(
        { file: paths.usage, claudeDirs: dirs(), prices: config.prices, budget: config.budget },
        { onBudget, onError: log.error, onExit: () => (started.isAlive = false) },
        clock,
      ),
      startedAt: clock.now(),
      isAlive: true,
    };
    followed = '';
    return started;
  };
  /** The engine. One that failed is started again after a pause. */
  const startedEngine = (): AsyncEngine => {
    if (isClosed) throw new DroverError('failed', 'The daemon is stopping.');
    if (!engine || (!engine.isAlive && clock.now() - engine.startedAt > limits.usage.restart))
      engine = start();
    return engine.asks;
  };
  const follow = () => {
    timer = null;
    const claudeDirs = dirs();
    const busy = loop.sessionIndex.live().filter(isBusy);
    // The last message of a turn is written shortly after its end.
    if (busy.some(session => !isWorking(session)))
      again ??= setTimeout(unfollow, limits.usage.settleTime).unref();
    const transcripts = busy.flatMap(session => transcriptOf(session, claudeDirs) ?? []);
    const now = JSON.stringify([claudeDirs, transcripts]);
    if (isClosed || now === followed) return;
    followed = now;
    startedEngine()
      .follow(claudeDirs, transcripts)
      .catch(error => log.error('usage cannot follow the sessions', error));
  };
  const isBusy = (session: Folded) =>
    isWorking(session) || clock.now() - session.touched < limits.usage.settleTime;
  const unfollow = () => {
    again = null;
    follow();
  };
  const scheduleFollow = () => {
    timer ??= setTimeout(follow, limits.usage.follow).unref();
  };
  /** Writes what the status line shows. Nobody needs it unless a status line runs. */
  const writeFacts = async () => {
    factsTimer = null;
    const { total } = await startedEngine().report({
      by: 'model',
      split: null,
      since: firstMidnight(clock.now(), 1),
    });
    const waiting = queueOf(loop.sessionIndex.live(), clock.now()).length;
    const text = statusLineFacts(total.cost ?? 0, waiting);
    if (text === facts || isClosed) return;
    writePrivate(paths.statusLineFacts, text);
    facts = text;
  };
  const statusFacts = new StatusFacts(loop);
  const takeStatusLine = (payload: Uint8Array, at: number, pid: number | null) => {
    if (isClosed) return;
    const statusLine = parseObject(payload);
    statusFacts.take(statusLine, at);
    const report = costReportOf(statusLine, at, pid);
    if (report)
      startedEngine()
        .addCostReport(report)
        .catch(error => log.error('the cost of a session was not recorded', error));
  };
  const late = new LateStatusLines(paths.statusLineSeen, takeStatusLine);
  ingest.onStatusLine(draft => {
    if (isClosed || draft.context.host || draft.context.origin) return;
    const pid = draft.context.pid ?? null;
    late.catchUp(draft, pid);
    takeStatusLine(draft.raw, draft.at, pid);
    if (draft.sessionId !== null) late.scheduleRead(draft.sessionId, pid);
    factsTimer ??= setTimeout(
      () => void writeFacts().catch(error => log.error('the status line was not updated', error)),
      limits.usage.facts,
    ).unref();
  });
  return {
    name: 'usage',
    handlers: usageHandlers(loop.sessionIndex, question => startedEngine().report(question)),
    forget: ({ id, before, all }: Forget): Promise<void> =>
      startedEngine().forget({
        ...(id !== undefined && { id }),
        ...(before !== undefined && { before }),
        ...(all && { all }),
      }),
    onCommit: (commit: Commit) => {
      statusFacts.onCommit(commit);
      if (commit.changed.length > 0) scheduleFollow();
    },
    start: () => {
      startedEngine();
      late.clean(clock.now());
      scheduleFollow();
    },
    // The worker is given prices and budgets when it starts.
    reload: async (changed: ReadonlySet<string>) => {
      if (!engine || !(changed.has('prices') || changed.has('budget'))) return;
      const { asks, isAlive } = engine;
      engine = null;
      if (isAlive) await asks.close().catch(() => {});
      if (isClosed) return;
      startedEngine();
      scheduleFollow();
    },
    close: async () => {
      isClosed = true;
      late.close();
      for (const one of [timer, again, factsTimer]) if (one) clearTimeout(one);
      if (engine?.isAlive) await engine.asks.close().catch(() => {});
    },
  };
};

const isWorking = ({ state }: Folded): boolean => state === 'working' || state === 'background';
