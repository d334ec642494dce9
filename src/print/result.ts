/** The one object that `json` prints: claude-print's keys, and those of `claude -p` that can be known, sorted. */
import type { Account } from './account.ts';
import type { PrintFailure } from './failure.ts';

export interface Answer {
  text: string;
  sessionId: string | null;
  account: Account;
  /** From the start of the run to the end of the turn, ms. */
  duration: number;
  version: string | null;
}

export const resultLine = ({ text, sessionId, account, duration, version }: Answer): string =>
  sorted({
    claude_version: version,
    cost_usd: account.cost?.totalCostUSD ?? 0,
    duration_api_ms: account.cost?.totalAPIDuration ?? null,
    duration_ms: Math.round(duration),
    is_error: false,
    modelUsage: account.cost?.modelUsage ?? null,
    num_turns: account.turns,
    result: text,
    session_id: sessionId,
    stop_reason: account.stopReason,
    subtype: 'success',
    total_cost_usd: account.cost?.totalCostUSD ?? null,
    type: 'result',
    usage: account.usage,
  });

export const errorLine = ({ subtype, message }: PrintFailure, version: string | null): string =>
  sorted({ claude_version: version, error_message: message, is_error: true, subtype, type: 'result' });

const sorted = (fields: Record<string, unknown>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
