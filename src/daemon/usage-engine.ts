/** Keeps the worker that counts tokens and cost: starts it, and again after it has failed. */
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { BudgetReached } from '../usage/budgets.ts';
import type { AsyncEngine } from '../usage/messages.ts';
import { startEngine } from '../usage/start-engine.ts';
import type { Core } from './core.ts';

export interface UsageEngineDeps {
  /** The engine was started, and follows no session yet. */
  onStart: () => void;
  onBudget: (reached: BudgetReached[]) => void;
}

export const openUsageEngine = (
  { paths, config, log, dirs, clock }: Core,
  { onStart, onBudget }: UsageEngineDeps,
) => {
  let engine: { asks: AsyncEngine; startedAt: number; isAlive: boolean } | null = null;
  let isClosed = false;
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
    onStart();
    return started;
  };
  /** Returns the engine. One that failed is started again after a pause. */
  const started = (): AsyncEngine => {
    if (isClosed) throw new DroverError('failed', 'The daemon is stopping.');
    if (!engine || (!engine.isAlive && clock.now() - engine.startedAt > limits.usage.restart))
      engine = start();
    return engine.asks;
  };
  return {
    started,
    /** Starts it again with the prices and budgets of now, if it runs. Returns whether it did. */
    restart: async (): Promise<boolean> => {
      if (!engine) return false;
      const { asks, isAlive } = engine;
      engine = null;
      if (isAlive) await asks.close().catch(() => {});
      if (isClosed) return false;
      started();
      return true;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      if (engine?.isAlive) await engine.asks.close().catch(() => {});
    },
  };
};
