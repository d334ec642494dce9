/** Waits for sessions, and reports progress to the client while it waits. */
import { follow } from '../client/stream.ts';
import { pathOf } from '../client/route-call.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { shownLine } from '../client/request-text.ts';
import type { ToolDeps } from './tool.ts';

/** Passes the states of these sessions to `onState`: first the current ones, then each change. Ends with the signal. */
export const watchSessions = async (
  ids: readonly string[],
  { daemon }: Pick<ToolDeps, 'daemon'>,
  signal: AbortSignal,
  onState: (session: Session) => void,
): Promise<void> => {
  const path = pathOf('followAll', { query: { only: 'state' } });
  for await (const { event, data } of follow(daemon.where, path, undefined, true, signal)) {
    if (event !== 'state') continue;
    const { sessions } = JSON.parse(data) as { sessions: Session[] };
    for (const session of sessions) if (ids.includes(session.id)) onState(session);
  }
};

/** Runs `work` and reports progress until it is done: at once, at each interval, and whenever a session changes. Without sessions it is a start. */
export const withProgress = async <T>(
  sessions: readonly Session[],
  seconds: number,
  deps: ToolDeps,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const known = new Map(sessions.map(session => [session.id, session]));
  const began = performance.now();
  const report = () => {
    const line = known.size === 0 ? 'starting' : [...known.values()].map(stateText).join(', ');
    deps.progress(Math.round((performance.now() - began) / 1_000), seconds, line);
  };
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, deps.signal]);
  const timer = setInterval(report, limits.mcp.progress);
  report();
  const watching = watchSessions([...known.keys()], deps, signal, session => {
    known.set(session.id, session);
    report();
  }).catch(() => undefined);
  try {
    return await work(signal);
  } finally {
    clearInterval(timer);
    ending.abort();
    await watching;
  }
};

const stateText = ({ title, id, state, reason, outcome, detail }: Session): string =>
  [title ?? id, reason ? `${state} (${outcome?.kind ?? reason})` : state, shownLine({ outcome, detail })]
    .filter(Boolean)
    .join(': ');
