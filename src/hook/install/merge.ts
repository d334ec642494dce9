/** Adds and removes Drover's hooks in the text of a settings file. Pure. */
import { hookEvents } from '../../claude/hook-events.ts';
import type { Handler } from './command.ts';
import type { UndoHooks } from './undo-hooks.ts';
import { append, type Doc, emptyInside, keysOf, parseDoc, replace, valueOf } from './json-text.ts';
import {
  dropOwn,
  eventList,
  hooksOf,
  hasOnlyOwn,
  type OwnEntry,
  ownEntries,
  ownEvents,
} from './own-entries.ts';

export interface Merged {
  text: string;
  undo: UndoHooks;
}

/** Makes own entries equal to `wanted` (event to handler) and changes nothing else. `before` is null without a file. */
export const merge = (
  before: string | null,
  wanted: ReadonlyMap<string, Handler>,
  known: UndoHooks | undefined,
  file: string,
): Merged => {
  const blank = before === null || isBlank(before);
  const bom = blank ? '' : bomOf(before);
  let doc = parseDoc(blank ? '{}\n' : before.slice(bom.length), file);
  for (const { name } of hookEvents) eventList(doc, name);

  const own = ownEvents(doc);
  const undo = own.length > 0 ? structuredClone(known ?? assume(doc)) : { events: {} };
  if (blank) undo.blank = before;
  for (const event of own) if (!wanted.has(event)) doc = dropAll(doc, event, undo);
  for (const [event, handler] of wanted) doc = register(doc, event, handler, undo);
  return { text: bom + doc.text, undo };
};

/** Removes own entries and the containers that Drover added. Returns null if Drover created the file. */
export const unmerge = (before: string, known: UndoHooks | undefined, file: string): string | null => {
  if (isBlank(before)) return before;
  const bom = bomOf(before);
  let doc = parseDoc(before.slice(bom.length), file);
  const own = valueOf(doc, doc.root, 'hooks')?.type === 'object' ? ownEvents(doc) : [];
  if (own.length === 0) return before;

  const undo = structuredClone(known ?? assume(doc));
  for (const event of own) doc = dropAll(doc, event, undo);
  if (undo.blank !== undefined && keysOf(doc.root).length === 0) return undo.blank;
  return bom + doc.text;
};

const register = (doc: Doc, event: string, handler: Handler, undo: UndoHooks): Doc => {
  const keep = ownEntries(doc, event).findIndex(entry => entry.everywhere);
  const single = dropAll(doc, event, undo, keep);
  const kept = ownEntries(single, event)[0];
  return kept ? refresh(single, event, kept, handler) : add(single, event, handler, undo);
};

const add = (doc: Doc, event: string, handler: Handler, undo: UndoHooks): Doc => {
  const group = { hooks: [handler] };
  const hooks = hooksOf(doc);
  const list = eventList(doc, event);
  if (list) {
    const inside = emptyInside(doc, list);
    if (inside !== undefined) undo.events[event] = inside;
    return append(doc, list, null, group);
  }
  undo.events[event] = null;
  if (hooks) {
    const inside = emptyInside(doc, hooks);
    if (inside !== undefined) undo.hooks = inside;
    return append(doc, hooks, event, [group]);
  }
  undo.hooks = null;
  const inside = emptyInside(doc, doc.root);
  if (inside !== undefined) undo.root = inside;
  return append(doc, doc.root, 'hooks', { [event]: [group] });
};

/** Updates an own entry of an older version in place. */
const refresh = (doc: Doc, event: string, entry: OwnEntry, handler: Handler): Doc => {
  for (const [key, value] of Object.entries(handler)) {
    const found = valueOf(doc, entry.handler, key);
    if (found?.value === value) continue;
    // A person may have given the hook more time.
    if (key === 'timeout' && typeof found?.value === 'number' && found.value > value) continue;
    const next = found ? replace(doc, found, value) : append(doc, entry.handler, key, value);
    const again = ownEntries(next, event)[0];
    return again ? refresh(next, event, again, handler) : next;
  }
  return doc;
};

/** Removes all own entries of an event, or all but one. */
const dropAll = (doc: Doc, event: string, undo: UndoHooks, keep = -1): Doc => {
  let left = doc;
  for (let at = ownEntries(doc, event).length - 1; at >= 0; at -= 1) {
    const entry = ownEntries(left, event)[at];
    if (entry && at !== keep) left = dropOwn(left, event, entry, undo);
  }
  if (keep < 0) delete undo.events[event];
  return left;
};

/** Guesses the undo information: containers with only own entries count as added by Drover. */
const assume = (doc: Doc): UndoHooks => {
  const hooks = hooksOf(doc);
  const events = hooks ? keysOf(hooks) : [];
  const whole = events.filter(event => hooks && hasOnlyOwn(valueOf(doc, hooks, event)));
  return {
    events: Object.fromEntries(whole.map(event => [event, null])),
    ...(whole.length === events.length ? { hooks: null } : {}),
  };
};

export const isBlank = (text: string): boolean => /^\uFEFF?[ \t\r\n]*$/.test(text);

export const bomOf = (text: string): string => (text.startsWith('\uFEFF') ? '\uFEFF' : '');
