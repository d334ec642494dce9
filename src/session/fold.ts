/**
 * The fold: events in, state out. Pure, total, deterministic; no IO, no clock, never throws.
 * A session's state changes only here, and every state names the event that said so.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Reason, Session, State } from '../contract/session.ts';
import { paneKey, placeOf } from './place.ts';

/** What the fold may ask about the sessions it has made so far. */
export interface Sessions {
  get: (id: string) => Session | undefined;
  /** The session that lives in a pane now. */
  inPane: (key: string) => Session | undefined;
}

/** The sessions that an event changed, in their new form. `hook` is its payload, parsed. */
export const fold = (sessions: Sessions, event: Event, hook: Hook | null): Session[] => {
  if (!event.sessionId) return [];
  if (event.source === 'drover' && event.name === snapshotName) return snapshotOf(hook);
  const before = sessions.get(event.sessionId);
  const placed = placeOf(before ?? newborn(event.sessionId, event), event, hook ?? {});
  const after = { ...placed, ...verdict(placed, event, hook ?? {}), touched: event.at, seq: event.seq };
  const parent = predecessor(sessions, after, event, hook ?? {});
  return parent ? [after, { ...parent, next: after.id, seq: event.seq }] : [after];
};

/** The event that retention leaves behind: a session's state at the cut, instead of the events before it. */
export const snapshotName = 'Snapshot';

const snapshotOf = (payload: Hook | null): Session[] => {
  const session = payload?.session as Session | undefined;
  return session ? [session] : [];
};

const newborn = (id: string, event: Event): Session => ({
  id,
  state: 'ready',
  reason: null,
  since: event.at,
  evidence: { source: event.source, name: event.name, seq: event.seq, at: event.at },
  detail: null,
  cwd: null,
  dir: null,
  transcript: null,
  model: null,
  permissionMode: null,
  pid: null,
  pane: null,
  next: null,
  host: null,
  headless: false,
  started: event.at,
  touched: event.at,
  seq: event.seq,
});

type Verdict = Partial<Pick<Session, 'state' | 'reason' | 'since' | 'evidence' | 'detail' | 'next'>>;

const verdict = (session: Session, event: Event, hook: Hook): Verdict => {
  // Hooks run side by side: one that began before the end may arrive after it, and wakes nobody up.
  if (session.state === 'ended' && event.at <= session.since) return {};
  const [state, reason, detail] = judge(session, event, hook) ?? [];
  if (!state) return {};
  const same = state === session.state && (reason ?? null) === session.reason;
  return {
    state,
    reason: reason ?? null,
    since: same ? session.since : event.at,
    evidence: { source: event.source, name: event.name, seq: event.seq, at: event.at },
    detail: detail ?? null,
    ...(session.state === 'ended' && { next: null }),
  };
};

type Judgement = [state: State, reason?: Reason | null, detail?: string | null] | null;

const judge = (session: Session, event: Event, hook: Hook): Judgement => {
  if (event.source === 'sweep') return event.name === 'ProcessGone' ? ['ended', 'killed'] : null;
  if (event.source !== 'hook') return null;
  if (hook.agent_id && event.name !== 'PermissionRequest') return null;
  switch (event.name) {
    case 'SessionStart':
      return hook.source === 'compact' && session.state !== 'ended' ? null : ['ready'];
    case 'UserPromptSubmit':
      return ['working', null, hook.prompt ?? null];
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PostToolBatch':
      return ['working', null, hook.tool_name ?? null];
    case 'PermissionRequest':
      return ['waiting', reasonOfTool(hook.tool_name), toolLine(hook)];
    case 'Notification':
      return notified(session, hook);
    case 'Stop':
      return hook.background_tasks?.length
        ? ['background', null, hook.last_assistant_message ?? null]
        : ['waiting', 'stopped', hook.last_assistant_message ?? null];
    case 'StopFailure':
      return ['waiting', 'failed', hook.last_assistant_message ?? hook.error ?? null];
    case 'SessionEnd':
      return ['ended', hook.reason === 'clear' ? 'clear' : 'exit'];
    default:
      return null;
  }
};

const reasonOfTool = (tool: string | undefined): Reason =>
  tool === 'AskUserQuestion' ? 'question' : tool === 'ExitPlanMode' ? 'plan' : 'permission';

const notified = (session: Session, hook: Hook): Judgement => {
  if (session.state === 'waiting' || session.state === 'ended') return null;
  switch (hook.notification_type) {
    case 'permission_prompt':
      return ['waiting', 'permission', hook.message ?? null];
    case 'elicitation_dialog':
      return ['waiting', 'elicitation', hook.message ?? null];
    case 'idle_prompt':
      return ['waiting', 'stopped', hook.message ?? null];
    default:
      return null;
  }
};

/** A tool and its input in one readable line. */
const toolLine = (hook: Hook): string =>
  `${hook.tool_name ?? 'tool'} ${JSON.stringify(hook.tool_input ?? {})}`;

/** The session that `/clear` turned into this one: same pane, ended by clear. */
const predecessor = (sessions: Sessions, session: Session, event: Event, hook: Hook): Session | null => {
  if (event.name !== 'SessionStart' || hook.source !== 'clear' || !session.pane) return null;
  const parent = sessions.inPane(paneKey(session.pane));
  return parent && parent.id !== session.id && parent.reason === 'clear' && !parent.next ? parent : null;
};
