/** What happened to a request that cannot be answered any more, for the person who wanted to answer it. */
import type { PastRequest } from '../contract/answer.ts';

/** Without a full stop: callers add the request, or end the sentence. */
export const pastText = (past: Omit<PastRequest, 'id' | 'line'>, now: number): string => {
  const when = `${lengthOf(Math.max(0, now - past.at))} ago`;
  if (isLeftToTerminal(past)) return `Drover stopped holding this request ${when}`;
  const decided = past.behavior === null ? 'answered' : past.behavior === 'allow' ? 'allowed' : 'denied';
  return `Already ${decided} ${past.by === 'answer' ? 'through Drover' : 'in the terminal'} ${when}`;
};

/** Nobody has answered it, but Drover holds it no longer. */
export const isLeftToTerminal = ({ by }: Pick<PastRequest, 'by'>): boolean =>
  by === 'deadline' || by === 'gone';

const lengthOf = (ms: number): string => {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
