/** What the daemon and the worker thread send each other. */
import type { BudgetReached } from './budgets.ts';
import type { UsageEngine } from './engine.ts';

export type EngineMethod = 'report' | 'follow' | 'forget' | 'addCostReport' | 'close';

/** The engine as the daemon sees it. */
export type AsyncEngine = {
  [Method in EngineMethod]: (
    ...args: Parameters<UsageEngine[Method]>
  ) => Promise<ReturnType<UsageEngine[Method]>>;
};

/** A call of a method of the engine. */
export interface EngineCall {
  id: number;
  method: EngineMethod;
  args: unknown[];
}

export type EngineMessage =
  | { id: number; result: unknown }
  | { id: number; error: string }
  | { budget: BudgetReached[] }
  | { failure: string; reason: string };
