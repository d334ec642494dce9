/** How large a model's context window is. Null when it is not known, rather than a guess. */

export const windowOf = (model: string | null): number | null => {
  if (model === null) return null;
  if (model.includes('[1m]')) return 1_000_000;
  return /^claude-(?:3|(?:opus|sonnet|haiku)-4)/.test(model) ? 200_000 : null;
};
