/**
 * How large the context window of a model is. The CLI reports it in its status line and in the result of `claude -p`. What it
 * reported on this machine is learned; what it reported to the probe ships as a table. Anything else is marked as an assumption.
 */
import type { ContextUse } from '../contract/session.ts';
import { measuredWindows } from './windows.generated.ts';

export interface ContextWindow {
  size: number;
  source: NonNullable<ContextUse['windowSource']>;
}

/** Finds what the CLI of a version has reported about a model on this machine, else what another version has. */
export type FindWindow = (model: string, version: string | null) => number | null;

const nothingLearned: FindWindow = () => null;

const million = 1_000_000;

/** The window of a model; null when not even an assumption can be made. */
export const windowOf = (
  model: string | null,
  version: string | null = null,
  learned: FindWindow = nothingLearned,
): ContextWindow | null => {
  if (model === null) return null;
  const name = undated(model);
  const known = learned(name, version);
  if (known !== null) return { size: known, source: 'learned' };
  const seen = measuredWindow(name, version);
  if (seen !== null) return { size: seen, source: 'measured' };
  if (name.includes('[1m]')) return { size: million, source: 'assumed' };
  const relative = windowOfFamily(name);
  return relative === null ? null : { size: relative, source: 'assumed' };
};

/** How much of the window an answer used. Only the session's model name carries its size (`[1m]`), the transcript's does not. */
export const useOf = (
  session: { model: string | null; version: string | null },
  { tokens, model }: { tokens: number; model: string | null },
  learned: FindWindow = nothingLearned,
): ContextUse => {
  const name = session.model?.includes('[1m]') ? session.model : model;
  const { size: window, source } = atLeast(windowOf(name, session.version, learned), tokens) ?? {
    size: null,
    source: null,
  };
  const percent = window === null ? null : Math.round((tokens / window) * 1000) / 10;
  return { tokens, window, percent, windowSource: source };
};

/** A name without the date of its release: `claude-haiku-4-5-20251001`. */
export const undated = (model: string): string => model.replace(/-\d{8}(?=\[|$)/, '');

/** Corrects a window that is smaller than the tokens in use: some accounts have a window of one million. */
const atLeast = (window: ContextWindow | null, tokens: number): ContextWindow | null => {
  if (window === null || tokens <= window.size) return window;
  return tokens <= million ? { size: million, source: 'assumed' } : null;
};

/** The window in the table, newest version first. A version that was not measured gets that of the newest one. */
const measuredWindow = (model: string, version: string | null): number | null => {
  const own = measuredWindows.find(row => row.version === version)?.windows[model];
  return own ?? measuredWindows.find(({ windows }) => model in windows)?.windows[model] ?? null;
};

/** The window of the nearest model of the same family, such as opus: the newest that is not newer, else the oldest. */
const windowOfFamily = (model: string): number | null => {
  // Older model names put the version first.
  if (/^claude-[23]/.test(model)) return 200_000;
  const family = /^claude-[a-z]+-/.exec(model)?.[0];
  if (family === undefined) return null;
  const rows = Object.entries(measuredWindows[0]?.windows ?? {})
    .filter(([name]) => name.startsWith(family) && !name.includes('['))
    .toSorted(([a], [b]) => byNumber(a, b));
  return (rows.findLast(([name]) => byNumber(name, model) <= 0) ?? rows[0])?.[1] ?? null;
};

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
