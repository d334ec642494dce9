/** Tokens and cost: keeps the usage engine informed, answers questions and sends notifications about budgets. */
import type { Forget } from '../../contract/api.ts';
import type { Commit } from '../../live/loop.ts';
import { usageHandlers } from '../../server/handlers/usage.ts';
import { budgetNotice } from '../../usage/budget-notice.ts';
import type { Core } from '../core.ts';
import { StatusLines } from '../status-lines.ts';
import { openUsageEngine } from '../usage-engine.ts';
import { UsageFollower } from '../usage-follower.ts';
import type { Ingest } from './ingest.ts';
import type { openNotices } from './notices.ts';

export interface UsageDeps {
  notices: ReturnType<typeof openNotices>;
  ingest: Pick<Ingest, 'onStatusLine'>;
}

export const openUsage = (core: Core, { notices, ingest }: UsageDeps) => {
  const { loop, log } = core;
  const engine = openUsageEngine(core, {
    onStart: () => follower.reset(),
    onBudget: reached => {
      for (const one of reached) {
        log.info('budget reached', { ...one });
        void notices.announce(budgetNotice(one, loop.sessionIndex.get(one.of)));
      }
    },
  });
  const follower = new UsageFollower(core, engine.started);
  const statusLines = new StatusLines(core, engine.started);
  ingest.onStatusLine(draft => statusLines.take(draft));
  return {
    name: 'usage',
    handlers: usageHandlers(loop.sessionIndex, question => engine.started().report(question)),
    forget: ({ id, before, all }: Forget): Promise<void> =>
      engine.started().forget({
        ...(id !== undefined && { id }),
        ...(before !== undefined && { before }),
        ...(all && { all }),
      }),
    onCommit: (commit: Commit) => {
      statusLines.onCommit(commit);
      if (commit.changed.length > 0) follower.schedule();
    },
    start: () => {
      engine.started();
      statusLines.start();
      follower.schedule();
    },
    // The worker is given prices and budgets when it starts.
    reload: async (changed: ReadonlySet<string>) => {
      if (!changed.has('prices') && !changed.has('budget')) return;
      if (await engine.restart()) follower.schedule();
    },
    close: async () => {
      statusLines.close();
      follower.close();
      await engine.close();
    },
  };
};
