/** The object that `json` prints: claude-print's keys and the known ones of `claude -p`, sorted. */
import type { TurnAccount } from '../driver/turn/turn-account.ts';
import type { PrintFailure } from './failure.ts';

export interface Answer {
  text: string;
  sessionId: string | null;
  account: TurnAccount;
  /** From the start of the run to the end of the turn, ms. */
  duration: number;
  version: string | null;
  /** The session continued an earlier one. */
  resumes: boolean;
}

export const resultLine = ({ text, sessionId, account, duration, version, resumes }: Answer): string => {
  // The CLI reports the cost of the whole session, which for a resumed one is not this run's.
  const cost = resumes ? null : account.cost;
  return sorted({
    claude_version: version,
    cost_usd: cost?.totalCostUSD ?? 0,
    duration_api_ms: cost?.totalAPIDuration ?? null,
    duration_ms: Math.round(duration),
    is_error: false,
    modelUsage: cost?.modelUsage ?? null,
    num_turns: account.turns,
    result: text,
    session_id: sessionId,
    stop_reason: account.stopReason,
    subtype: 'success',
    total_cost_usd: cost?.totalCostUSD ?? null,
    type: 'result',
    usage: account.usage,
  });
};

export const errorLine = ({ subtype, message }: PrintFailure, version: string | null): string =>
  sorted({ claude_version: version, error_message: message, is_error: true, subtype, type: 'result' });

const sorted = (fields: Record<string, unknown>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
