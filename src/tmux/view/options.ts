/**
 * The options of a pane, named and set as the tmux hook design asks for them. A pure function of the session before,
 * the session after, and the event between them; tmux is written to elsewhere.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { State } from '../../contract/session.ts';
import type { Folded } from '../../session/memory.ts';
import { labelOf } from './label.ts';

/** A new value; null takes the option away; `first` is set only where the pane has none. */
export type Value = string | null | { first: string };
export type Options = Record<string, Value>;

/** What one event changes in the options of the pane that its session owns. */
export const optionsAfter = (
  before: Folded | undefined,
  after: Folded,
  event: Event,
  hook: Hook,
): Options => {
  // Of the sessions that an event changes, the hook was fired by one. What no hook told changes no more than the state.
  const fired = event.source === 'hook' && event.sessionId === after.id;
  return {
    ...(fired && tellHook(before, after, event, hook)),
    ...((!before || (fired && asserts.has(event.name)) || shows(before) !== shows(after)) &&
      stateOptions(after)),
  };
};

/** What the state of a session shows on its pane, whatever told of it. */
export const stateOptions = (session: Folded): Options => ({
  '@meta.claude.status': statusOf(session.state),
  '@meta.claude.reason': session.reason,
  '@drover_label': labelOf(session.project ?? '') || null,
});

/** A session that has left a pane shows nothing there. */
export const noState: Options = { '@meta.claude.status': null, '@meta.claude.reason': null };

/** `background` counts as running: the session goes on by itself, nobody has to come. */
export const statusOf = (state: State): string | null =>
  ({ ready: 'stopped', waiting: 'stopped', working: 'running', background: 'running', ended: null })[state];

/**
 * Of the sessions that were seen in a pane, the one that it shows: one that lives before one that has ended, then the
 * one that was heard of last. So an end that is told late changes nothing for whoever came after.
 */
export const ownerOf = (tenants: Folded[]): Folded | undefined =>
  tenants.reduce<Folded | undefined>(
    (best, next) => (!best || outranks(next, best) ? next : best),
    undefined,
  );

const outranks = (a: Folded, b: Folded): boolean => {
  const [aLives, bLives] = [a.state !== 'ended', b.state !== 'ended'];
  return aLives === bLives ? heardAt(a) > heardAt(b) : aLives;
};

const heardAt = ({ memory }: Folded): number => Math.max(memory.began, memory.hooked);

const shows = (session: Folded): string => JSON.stringify(stateOptions(session));

/** Hooks that say which session it is. */
const claims = new Set(['SessionStart', 'Stop', 'UserPromptSubmit', 'SessionEnd', 'SubagentStop']);

/** Hooks that say what it does, so that the state is written even where it did not change. */
const asserts = new Set(['SessionStart', 'Stop', 'UserPromptSubmit', 'SessionEnd', 'PostToolUse']);

const tellHook = (before: Folded | undefined, after: Folded, event: Event, hook: Hook): Options => {
  // Hooks run side by side: one that is heard late is not the latest.
  const late = before !== undefined && event.at < before.memory.hooked;
  return {
    ...(claims.has(event.name) &&
      !late &&
      isPlain(after.id) && {
        '@meta.claude.session_id': after.id,
        '@meta.claude.session_id_set_on': event.name,
      }),
    ...(event.name === 'SessionStart' && startedIn(after, hook)),
    ...(!late && {
      '@meta.claude.latest_hook_event': nameOf(event, hook),
      '@meta.claude.latest_hook_time': String(Math.floor(event.at / 1000)),
    }),
  };
};

/** `/compact` and `/clear` go on where the first start was, though their payload names the folder of the moment. */
const startedIn = (after: Folded, { source, cwd }: Hook): Options => {
  const goesOn = source === 'compact' || source === 'clear';
  const dir = goesOn ? after.dir : (cwd ?? after.dir);
  if (!dir) return {};
  return { '@meta.claude.session_dir': goesOn ? { first: dir } : dir };
};

/** An id is shown on the border: what is none of Claude's making is not. */
const isPlain = (id: string): boolean => /^[\w-]{1,128}$/.test(id);

const nameOf = ({ name }: Event, { notification_type: type }: Hook): string => {
  const whole = name === 'Notification' && typeof type === 'string' && type ? `${name}-${type}` : name;
  return whole.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 80);
};
