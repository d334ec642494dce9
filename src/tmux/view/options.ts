/**
 * The options of a pane, as the tmux hook design specifies them. A pure function of the session before an event, the session
 * after it, and the event.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { State } from '../../contract/session.ts';
import type { Folded } from '../../session/memory.ts';
import { labelOf } from './label.ts';
import { lastingText } from '../../session/state-text.ts';

/** A new value; null removes the option; `first` is set only if the pane has no value. */
export type Value = string | null | { first: string };
export type Options = Record<string, Value>;

/** Return the options of the session's pane that one event changes. */
export const optionsAfter = (
  before: Folded | undefined,
  after: Folded,
  event: Event,
  hook: Hook,
): Options => {
  // An event can change several sessions, but only one of them fired the hook. Other events change only the state.
  const isFromHook = event.source === 'hook' && event.sessionId === after.id;
  return {
    ...(isFromHook && hookOptions(before, after, event, hook)),
    ...((!before || (isFromHook && stateHooks.has(event.name)) || stateText(before) !== stateText(after)) &&
      stateOptions(after)),
  };
};

/** Return the options for the start of a session that was reported under another id. */
export const startOptions = (session: Folded, event: Event, hook: Hook): Options => ({
  ...hookOptions(undefined, session, event, hook),
  ...stateOptions(session),
});

/** Return the options that show a session's state on its pane. */
export const stateOptions = (session: Folded): Options => ({
  '@meta.claude.status': statusOf(session.state),
  '@meta.claude.reason': session.reason,
  '@drover_label': labelOf(session.title ?? '') || null,
  '@drover_state': session.state === 'ended' ? null : lastingText(session),
});

/** Options for a pane that a session has left. */
export const clearedOptions: Options = {
  '@meta.claude.status': null,
  '@meta.claude.reason': null,
  '@drover_state': null,
};

/** Map a state to its status. `background` counts as running: the session continues by itself. */
export const statusOf = (state: State): string | null =>
  ({ ready: 'stopped', waiting: 'stopped', working: 'running', background: 'running', ended: null })[state];

/**
 * Choose the session that a pane shows from those seen in it: live ones first, then the most recent.
 * A late end event therefore does not affect the session that followed.
 */
export const paneSessionOf = (sessions: Folded[]): Folded | undefined =>
  sessions.reduce<Folded | undefined>(
    (best, next) => (!best || comesBefore(next, best) ? next : best),
    undefined,
  );

const comesBefore = (a: Folded, b: Folded): boolean => {
  const [isALive, isBLive] = [a.state !== 'ended', b.state !== 'ended'];
  return isALive === isBLive ? lastSeen(a) > lastSeen(b) : isALive;
};

const lastSeen = ({ memory }: Folded): number => Math.max(memory.began, memory.hooked);

const stateText = (session: Folded): string => JSON.stringify(stateOptions(session));

/** Hooks that set the session id. */
const idHooks = new Set(['SessionStart', 'Stop', 'UserPromptSubmit', 'SessionEnd', 'SubagentStop']);

/** Hooks after which the state is written even if it did not change. */
const stateHooks = new Set(['SessionStart', 'Stop', 'UserPromptSubmit', 'SessionEnd', 'PostToolUse']);

const hookOptions = (before: Folded | undefined, after: Folded, event: Event, hook: Hook): Options => {
  // Hooks run in parallel: one that arrives late is not the latest.
  const isLate = before !== undefined && event.at < before.memory.hooked;
  return {
    ...(idHooks.has(event.name) &&
      !isLate &&
      isSafeId(after.id) && {
        '@meta.claude.session_id': after.id,
        '@meta.claude.session_id_set_on': event.name,
      }),
    ...(event.name === 'SessionStart' && sessionDir(after, hook)),
    ...(!isLate && {
      '@meta.claude.latest_hook_event': nameOf(event, hook),
      '@meta.claude.latest_hook_time': String(Math.floor(event.at / 1000)),
    }),
  };
};

/** `/compact` and `/clear` keep the folder of the first start, although their payload has the current one. */
const sessionDir = (after: Folded, { source, cwd }: Hook): Options => {
  const isContinued = source === 'compact' || source === 'clear';
  const dir = isContinued ? after.dir : (cwd ?? after.dir);
  if (!dir) return {};
  return { '@meta.claude.session_dir': isContinued ? { first: dir } : dir };
};

/** Accept only ids that are safe to show on the pane border. */
const isSafeId = (id: string): boolean => /^[\w-]{1,128}$/.test(id);

const nameOf = ({ name }: Event, { notification_type: type }: Hook): string => {
  const full = name === 'Notification' && typeof type === 'string' && type ? `${name}-${type}` : name;
  return full.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 80);
};
