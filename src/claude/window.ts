/** How large a model's context window is. Null when it is not known, rather than a guess. */
import type { ContextUse } from '../contract/session.ts';

export const windowOf = (model: string | null): number | null => {
  if (model === null) return null;
  if (model.includes('[1m]')) return 1_000_000;
  return /^claude-(?:3|(?:opus|sonnet|haiku)-4)/.test(model) ? 200_000 : null;
};

/** What an answer used of the window. The session's own model may carry its size, `[1m]`; a transcript names the plain one. */
export const useOf = (
  sessionModel: string | null,
  { tokens, model }: { tokens: number; model: string | null },
): ContextUse => {
  const window = windowOf(sessionModel?.includes('[1m]') ? sessionModel : model);
  return { tokens, window, percent: window === null ? null : Math.round((tokens / window) * 1000) / 10 };
};
