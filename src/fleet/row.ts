/** A session as its host publishes it, and as another host shows it. */
import { type FleetRow, latestTime } from '../contract/fleet.ts';
import { idFrom } from '../contract/origin.ts';
import { type FleetPlace, type QuotaWindow, Session } from '../contract/session.ts';
import * as z from 'zod';

/** What the host publishes about a session: none of its prompts, answers or requests. */
export const rowOf = (session: Session, epoch: string, share: 'all' | 'states'): FleetRow => {
  const { id, seq, state, reason, since, touched, project, version, permissionMode } = session;
  const { headless, parked, managed, worktree, deferral, stalled } = session;
  const isShared = share === 'all';
  return {
    session: id,
    epoch,
    seq,
    state,
    reason,
    outcome: session.outcome?.kind ?? null,
    since,
    touched,
    project,
    title: isShared ? session.title : null,
    titleFrom: isShared ? session.titleFrom : 'project',
    branch: isShared ? session.branch : null,
    worktree,
    version,
    permissionMode,
    headless,
    parked,
    managed,
    limit: session.limit,
    // The tool is part of a request.
    stalled: stalled && { ...stalled, tool: null },
    deferral: deferral && { ...deferral, claim: deferral.claim && { ...deferral.claim, by: 'another host' } },
    requests: session.requests.length,
    deadline: session.deadline,
    denied: session.denied?.turn ?? 0,
  };
};

/** What remains of a session that was forgotten. */
export const goneRow = (session: string, epoch: string, seq: number, now: number): FleetRow => ({
  session,
  epoch,
  seq,
  isGone: true,
  state: 'ended',
  reason: 'lost',
  outcome: null,
  since: now,
  touched: now,
  project: null,
  title: null,
  titleFrom: 'project',
  branch: null,
  worktree: false,
  version: null,
  permissionMode: null,
  headless: false,
  parked: false,
  managed: false,
  limit: null,
  stalled: null,
  deferral: null,
  requests: 0,
  deadline: null,
  denied: 0,
});

/** A time of another host by our clock. Whatever that host claims, it is one that a date can show. */
export const ourTime = (at: number, skew: number): number => Math.min(Math.max(at - skew, 0), latestTime);

const AnyList = z.object({ sessions: z.array(z.unknown()) });

/** The sessions of a list that another host returned, without those that only a newer drover understands. */
export const sessionsIn = (json: unknown): Session[] =>
  AnyList.parse(json).sessions.flatMap(one => Session.safeParse(one).data ?? []);

/**
 * The row as a session. It has no pane, process or file: those are another machine's. `skew` is how far the clock there is
 * ahead of ours.
 */
export const sessionOfRow = (row: FleetRow, place: FleetPlace, skew: number): Session => {
  const here = (at: number): number => ourTime(at, skew);
  const { state, reason, deferral, stalled, limit } = row;
  return {
    id: idFrom(row.session, place.name),
    name: null,
    title: row.title ?? row.project,
    titleFrom: row.titleFrom,
    state,
    reason,
    since: here(row.since),
    evidence: { source: 'drover', name: 'FleetRow', seq: row.seq, at: here(row.touched) },
    detail: null,
    outcome: row.outcome && { kind: row.outcome, sentence: null, early: null, rule: null },
    limit: limit && { ...limit, resetsAt: limit.resetsAt === null ? null : here(limit.resetsAt) },
    failure: null,
    continuation: null,
    quota: null,
    cwd: null,
    dir: null,
    project: row.project,
    branch: row.branch,
    worktree: row.worktree,
    tags: [],
    transcript: null,
    model: null,
    permissionMode: row.permissionMode,
    effort: null,
    tasks: [],
    crons: [],
    pid: null,
    version: row.version,
    pane: null,
    hooks: 'live',
    context: null,
    memoryBytes: null,
    changes: null,
    collisions: [],
    parked: row.parked,
    deferral: deferral && {
      ...deferral,
      since: here(deferral.since),
      skipped: deferral.skipped === null ? null : here(deferral.skipped),
      snoozed: deferral.snoozed === null ? null : here(deferral.snoozed),
      claim: deferral.claim && { ...deferral.claim, until: here(deferral.claim.until) },
    },
    stalled: stalled && { ...stalled, since: here(stalled.since) },
    approvals: 'terminal',
    requests: [],
    pending: null,
    deadline: row.deadline === null ? null : here(row.deadline),
    denied: row.denied === 0 ? null : { turn: row.denied, total: row.denied, last: [] },
    managed: row.managed,
    driven: false,
    headless: row.headless,
    next: null,
    host: place.name,
    origin: null,
    fleet: place,
    started: here(row.since),
    touched: here(row.touched),
    seq: row.seq,
  };
};

/**
 * A session that was read from its host, as this machine shows it: complete, by our clock, and without anything that would mean
 * something else here.
 */
export const sessionFromHost = <T extends Session>(session: T, place: FleetPlace, skew: number): T => {
  const here = (at: number): number => ourTime(at, skew);
  const maybe = (at: number | null): number | null => (at === null ? null : here(at));
  const there = (id: string): string => idFrom(id, place.name);
  const { evidence, limit, continuation, quota, deferral, stalled, pending, denied, next } = session;
  const window = (one: QuotaWindow | null) => one && { ...one, resetsAt: maybe(one.resetsAt) };
  return {
    ...session,
    id: there(session.id),
    next: next === null ? null : there(next),
    since: here(session.since),
    touched: here(session.touched),
    started: here(session.started),
    evidence: { ...evidence, at: here(evidence.at) },
    limit: limit && { ...limit, resetsAt: maybe(limit.resetsAt) },
    continuation: continuation && { ...continuation, sendAt: here(continuation.sendAt) },
    quota: quota && {
      fiveHour: window(quota.fiveHour),
      sevenDay: window(quota.sevenDay),
      at: here(quota.at),
    },
    deferral: deferral && {
      ...deferral,
      since: here(deferral.since),
      skipped: maybe(deferral.skipped),
      snoozed: maybe(deferral.snoozed),
      notified: maybe(deferral.notified),
      seen: maybe(deferral.seen),
      claim: deferral.claim && { ...deferral.claim, until: here(deferral.claim.until) },
    },
    stalled: stalled && { ...stalled, since: here(stalled.since) },
    requests: session.requests.map(request => requestFromHost(request, skew)),
    pending: pending && { ...pending, until: here(pending.until) },
    deadline: maybe(session.deadline),
    denied: denied && { ...denied, last: denied.last.map(one => ({ ...one, at: here(one.at) })) },
    collisions: session.collisions.map(collision => ({
      ...collision,
      sessionId: there(collision.sessionId),
      at: here(collision.at),
    })),
    pid: null,
    pane: null,
    transcript: null,
    host: place.name,
    fleet: { host: place.host, name: place.name, isAway: place.isAway, seenAt: place.seenAt },
  };
};

/** A request with its times by our clock. */
export const requestFromHost = <
  T extends { at: number; until: number | null; deadline?: number | undefined },
>(
  request: T,
  skew: number,
): T => ({
  ...request,
  at: ourTime(request.at, skew),
  until: request.until === null ? null : ourTime(request.until, skew),
  ...(request.deadline !== undefined && { deadline: ourTime(request.deadline, skew) }),
});
