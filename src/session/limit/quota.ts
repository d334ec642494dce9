/** Quotas of an account, as the status line of its sessions reports them. An account is a Claude folder. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Quota, QuotaWindow, Session } from '../../contract/session.ts';
import type { Folded } from '../memory.ts';

/** What a status line newly said: the effort, and the quotas. */
export const statusLineReadName = 'StatusLineRead';

/** The facts of a status line that are kept. */
export interface StatusLineFacts {
  effort: string | null;
  fiveHour: QuotaWindow | null;
  sevenDay: QuotaWindow | null;
  /** Names the account, also where no hook arrives. */
  transcript: string | null;
}

/** Picks the facts that are kept from the JSON of a status line; null when it has none of them. */
export const factsOf = (payload: object | null): StatusLineFacts | null => {
  const {
    effort,
    rate_limits: given,
    transcript_path: transcript,
  } = (payload ?? {}) as Record<string, unknown>;
  const { five_hour: fiveHour, seven_day: sevenDay } = Object(given) as Record<string, unknown>;
  const level: unknown = Object(effort).level;
  const facts = {
    effort: typeof level === 'string' ? level.slice(0, 50) : null,
    fiveHour: windowOf(fiveHour),
    sevenDay: windowOf(sevenDay),
    transcript: typeof transcript === 'string' ? transcript.slice(0, 4_096) : null,
  };
  return facts.effort || facts.fiveHour || facts.sevenDay ? facts : null;
};

const windowOf = (given: unknown): QuotaWindow | null => {
  const { used_percentage: used, resets_at: resets } = Object(given) as Record<string, unknown>;
  if (typeof used !== 'number' || !(used >= 0 && used <= 1_000)) return null;
  const isTime = typeof resets === 'number' && resets > 0 && resets < 1e11;
  return { percent: Math.round(used), resetsAt: isTime ? Math.round(resets * 1_000) : null };
};

/** Whether the session does not have these facts yet. */
export const hasNewFacts = ({ effort, quota }: Session, facts: StatusLineFacts): boolean =>
  (facts.effort !== null && facts.effort !== effort) ||
  ((facts.fiveHour !== null || facts.sevenDay !== null) &&
    JSON.stringify([facts.fiveHour, facts.sevenDay]) !== JSON.stringify([quota?.fiveHour, quota?.sevenDay]));

export const reduceStatusLine = (session: Folded, { at }: Event, hook: Hook): void => {
  const { effort, fiveHour, sevenDay, transcript } = hook as Partial<StatusLineFacts>;
  if (typeof effort === 'string') session.effort = effort;
  if (typeof transcript === 'string') session.transcript ??= transcript;
  if (!fiveHour && !sevenDay) return;
  session.quota = { fiveHour: fiveHour ?? null, sevenDay: sevenDay ?? null, at };
};

/** The account of a session: the Claude folder of its transcript; null when that is not known. */
export const accountOf = ({ transcript }: Pick<Session, 'transcript'>): string | null => {
  const end = transcript?.lastIndexOf('/projects/') ?? -1;
  return end > 0 ? (transcript as string).slice(0, end) : null;
};

/** The quotas of an account that are valid now. */
export interface AccountQuota extends Pick<Quota, 'fiveHour' | 'sevenDay'> {
  account: string;
}

/** Returns the quotas of each account by the newest status line among its sessions. What has been reset since is left out. */
export const quotasOf = (sessions: Iterable<Session>, now: number): AccountQuota[] => {
  const newest = new Map<string, Quota>();
  // Claude Code does not read the quota of an answer that was refused.
  const usedUp = new Set<string>();
  for (const session of sessions) {
    const account = accountOf(session);
    const { quota, limit } = session;
    if (limit && !limit.isOver) usedUp.add(`${limit.window} ${account}`);
    if (account === null || !quota || (newest.get(account)?.at ?? 0) > quota.at) continue;
    newest.set(account, quota);
  }
  return [...newest]
    .map(([account, { fiveHour, sevenDay }]) => ({
      account,
      fiveHour: current(fiveHour, now, usedUp.has(`five_hour ${account}`)),
      sevenDay: current(sevenDay, now, usedUp.has(`seven_day ${account}`)),
    }))
    .filter(({ fiveHour, sevenDay }) => fiveHour || sevenDay)
    .sort((a, b) => (a.account < b.account ? -1 : 1));
};

const current = (window: QuotaWindow | null, now: number, isUsedUp: boolean): QuotaWindow | null => {
  if (!window || (window.resetsAt !== null && window.resetsAt <= now)) return null;
  return isUsedUp ? { ...window, percent: Math.max(100, window.percent) } : window;
};

/**
 * Returns the exact reset of the limit of a session, and its window. The message of Claude Code has whole minutes; the status lines
 * of the account have seconds. Null when they know nothing of this limit.
 */
export const exactLimit = (
  session: Folded,
  sessions: Iterable<Session>,
): { resetsAt: number; window: string } | null => {
  const limit = session.memory.end?.limit;
  const account = accountOf(session);
  if (!limit || account === null) return null;
  const [quota] = quotasOf(
    Array.from(sessions).filter(one => accountOf(one) === account),
    session.memory.end?.evidence.at ?? 0,
  );
  const windows = [
    { window: 'five_hour', quota: quota?.fiveHour },
    { window: 'seven_day', quota: quota?.sevenDay },
  ];
  for (const { window, quota: known } of windows)
    if (known?.resetsAt != null && isSameReset(limit, window, known, known.resetsAt))
      return { resetsAt: known.resetsAt, window };
  return null;
};

/** Whether this window is the limit: its reset is within the named minute, or no time was named and it is used up. */
const isSameReset = (
  limit: { resetsAt: number | null; window: string | null },
  window: string,
  { percent }: QuotaWindow,
  resetsAt: number,
): boolean =>
  limit.resetsAt === null
    ? limit.window === window || (limit.window === null && percent >= 100)
    : Math.abs(resetsAt - limit.resetsAt) <= 60_000;
