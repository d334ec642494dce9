/** Decides the origin of a POSTed event, the id it is stored under, and which of its headers are trusted. */
import { type Caller, isToken, ownerName } from '../contract/caller.ts';
import type { Context, Draft } from '../contract/event.ts';
import { withoutOwnHost } from '../hook/here.ts';
import { parseObject } from '../hook/payload.ts';
import { contextOf } from '../hook/spool.ts';
import type { Folded } from '../session/memory.ts';
import { idFrom, originName, postOrigin, unverifiedOrigin } from '../contract/origin.ts';
import type { Headers } from './call.ts';

/** What was sent with the payload. */
export interface Sent {
  /** The id of the delivery. */
  key: string | undefined;
  hook: string | undefined;
  sessionId: string | undefined;
  context: Context;
}

/** Returns an event with the pane that its emitter has merged into the payload, where no header names one. It is as much a hint. */
export const withMergedPane = (draft: Draft): Draft => {
  if (draft.context.hintPane) return draft;
  const payload = parseObject(draft.raw);
  const pane = paneFields.map(name => payload?.[name]).find(isPaneId);
  return pane === undefined ? draft : { ...draft, context: { ...draft.context, hintPane: pane } };
};

const paneFields = ['pane_id', 'tmux_pane', 'TMUX_PANE'];
const isPaneId = (value: unknown): value is string => typeof value === 'string' && /^%\d{1,9}$/.test(value);

/** Reads the headers of a POST. Anyone can write them, so panes and processes become hints that nothing relies on. */
export const sentBy = (headers: Headers): Sent => {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? Buffer.from(value, 'latin1').toString('utf8') : undefined;
  };
  const delivery = header('x-drover-event');
  const { pane, socket, ...rest } = contextOf({
    via: header('x-drover-via'),
    tmux: header('x-tmux'),
    pane: header('x-tmux-pane'),
    entrypoint: header('x-claude-entrypoint'),
    projectDir: header('x-claude-project-dir'),
    host: header('x-drover-host'),
    ns: header('x-drover-ns'),
  });
  delete rest.serverPid;
  return {
    key: delivery && /^[\w.-]{8,100}$/.test(delivery) ? delivery : undefined,
    hook: header('x-drover-hook'),
    sessionId: header('x-claude-session-id'),
    context: {
      ...withoutOwnHost(rest),
      posted: true,
      ...(pane && { hintPane: pane }),
      ...(socket && { hintSocket: socket }),
    },
  };
};

/**
 * Returns the origin of a POSTed event; null when it counts as seen on this machine. A named token always reports under its
 * own name, a caller without a token as unverified. The owner's token may report a session on this machine until hooks of that session come through the spool.
 */
export const originOf = (draft: Draft, caller: Caller, known: Folded | undefined): string | null => {
  if (caller.kind === 'unverified') return unverifiedOrigin;
  if (caller.kind === 'token' && !isToken(ownerName)(caller)) return originName(caller.name ?? 'token');
  const { host } = draft.context;
  if (host) return originName(host);
  const isTaken = known !== undefined && (known.memory.spooled || known.managed);
  return isTaken || draft.sessionId?.includes('@') ? postOrigin : null;
};

/**
 * Returns an event as one of the session that Drover started in a container's tmux server, when a token reports it from there
 * and names the pane of that session; null when it is not about such a session.
 */
export const fromContainer = (draft: Draft, caller: Caller, known: Folded | undefined): Draft | null => {
  if (caller.kind === 'unverified') return null;
  const { hintPane, hintSocket } = draft.context;
  const { pane, managed } = known ?? {};
  if (!managed || !pane?.foreign || pane.serverPid === null) return null;
  if (hintPane !== pane.id || hintSocket !== pane.socket) return null;
  const { socket, serverPid, id } = pane;
  const context: Context = { ...draft.context, socket, serverPid, pane: id, foreignPids: true };
  for (const name of ['host', 'ns', 'origin'] as const) delete context[name];
  return { ...draft, context };
};

/** Returns the event and its delivery as they are stored: with an origin, both ids belong to it. */
export const storedUnder = (
  origin: string | null,
  draft: Draft,
  key: string | undefined,
): { draft: Draft; key: string | undefined } => {
  if (origin === null) return { draft, key };
  const { sessionId, context } = draft;
  return {
    draft: {
      ...draft,
      sessionId: sessionId === null ? null : idFrom(sessionId, origin),
      context: { ...context, origin, ...(origin === unverifiedOrigin && { unverified: true }) },
    },
    key: key && idFrom(key, origin),
  };
};
