/** Explains what happened to a request that can no longer be answered. */
import type { PastRequest } from '../../contract/answer.ts';

/** Returns a sentence without its full stop: callers add the request or the stop. */
export const pastText = (past: Omit<PastRequest, 'id' | 'line'>, now: number): string => {
  const when = `${lengthText(Math.max(0, now - past.at))} ago`;
  if (isLeftToTerminal(past)) return `Drover stopped holding this request ${when}`;
  if (past.by === 'claude') return `Claude Code denied this request ${when}, because nobody answered in time`;
  const decided = past.behavior === null ? 'answered' : past.behavior === 'allow' ? 'allowed' : 'denied';
  return `Already ${decided} ${past.by === 'answer' ? 'through Drover' : 'in the terminal'} ${when}`;
};

/** Whether only the terminal can answer it now. */
export const isLeftToTerminal = ({ by }: Pick<PastRequest, 'by'>): boolean =>
  by === 'deadline' || by === 'gone';

/** Formats a length of time. */
export const lengthText = (ms: number): string => {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
