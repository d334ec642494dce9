/** The size of a model's context window; null when it is not known. */
import type { ContextUse } from '../contract/session.ts';

export const windowOf = (model: string | null): number | null => {
  if (model === null) return null;
  if (model.includes('[1m]')) return 1_000_000;
  return /^claude-(?:3|(?:opus|sonnet|haiku)-4)/.test(model) ? 200_000 : null;
};

/** How much of the window an answer used. Only the session's model name carries its size (`[1m]`), the transcript's does not. */
export const useOf = (
  sessionModel: string | null,
  { tokens, model }: { tokens: number; model: string | null },
): ContextUse => {
  const window = windowOf(sessionModel?.includes('[1m]') ? sessionModel : model);
  return { tokens, window, percent: window === null ? null : Math.round((tokens / window) * 1000) / 10 };
};
