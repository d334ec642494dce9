/** Own hook entries into and out of the text of a settings file. Pure: text in, text out. */
import { hookEvents } from '../../claude/hook-events.ts';
import type { Handler } from './command.ts';
import type { Ground } from './ground.ts';
import { append, type Doc, emptyInside, keysOf, parseDoc, replace, valueOf } from './json-text.ts';
import {
  dropOwn,
  eventList,
  hooksOf,
  isAllOwn,
  type OwnEntry,
  ownEntries,
  ownEvents,
} from './own-entries.ts';

export interface Merged {
  text: string;
  ground: Ground;
}

/** Makes the own entries equal to `wanted` (event to handler) and leaves all else as it is. `before` null: no file. */
export const merge = (
  before: string | null,
  wanted: ReadonlyMap<string, Handler>,
  known: Ground | undefined,
  file: string,
): Merged => {
  const blank = before === null || isBlank(before);
  const bom = blank ? '' : bomOf(before);
  let doc = parseDoc(blank ? '{}\n' : before.slice(bom.length), file);
  for (const { name } of hookEvents) eventList(doc, name);

  const own = ownEvents(doc);
  const ground = own.length > 0 ? structuredClone(known ?? assume(doc)) : { events: {} };
  if (blank) ground.blank = before;
  for (const event of own) if (!wanted.has(event)) doc = dropAll(doc, event, ground);
  for (const [event, handler] of wanted) doc = register(doc, event, handler, ground);
  return { text: bom + doc.text, ground };
};

/** Takes every own entry out, with the containers that Drover had made. Null: the file was Drover's alone. */
export const unmerge = (before: string, known: Ground | undefined, file: string): string | null => {
  if (isBlank(before)) return before;
  const bom = bomOf(before);
  let doc = parseDoc(before.slice(bom.length), file);
  const own = valueOf(doc, doc.root, 'hooks')?.type === 'object' ? ownEvents(doc) : [];
  if (own.length === 0) return before;

  const ground = structuredClone(known ?? assume(doc));
  for (const event of own) doc = dropAll(doc, event, ground);
  if (ground.blank !== undefined && keysOf(doc.root).length === 0) return ground.blank;
  return bom + doc.text;
};

const register = (doc: Doc, event: string, handler: Handler, ground: Ground): Doc => {
  const keep = ownEntries(doc, event).findIndex(entry => entry.everywhere);
  const single = dropAll(doc, event, ground, keep);
  const kept = ownEntries(single, event)[0];
  return kept ? refresh(single, event, kept, handler) : add(single, event, handler, ground);
};

const add = (doc: Doc, event: string, handler: Handler, ground: Ground): Doc => {
  const group = { hooks: [handler] };
  const hooks = hooksOf(doc);
  const list = eventList(doc, event);
  if (list) {
    const inside = emptyInside(doc, list);
    if (inside !== undefined) ground.events[event] = inside;
    return append(doc, list, null, group);
  }
  ground.events[event] = null;
  if (hooks) {
    const inside = emptyInside(doc, hooks);
    if (inside !== undefined) ground.hooks = inside;
    return append(doc, hooks, event, [group]);
  }
  ground.hooks = null;
  const inside = emptyInside(doc, doc.root);
  if (inside !== undefined) ground.root = inside;
  return append(doc, doc.root, 'hooks', { [event]: [group] });
};

/** Brings an own entry of an older form up to date where it stands. */
const refresh = (doc: Doc, event: string, entry: OwnEntry, handler: Handler): Doc => {
  for (const [key, value] of Object.entries(handler)) {
    const found = valueOf(doc, entry.handler, key);
    if (found?.value === value) continue;
    const next = found ? replace(doc, found, value) : append(doc, entry.handler, key, value);
    const again = ownEntries(next, event)[0];
    return again ? refresh(next, event, again, handler) : next;
  }
  return doc;
};

/** Takes all own entries of an event out, or all but one. */
const dropAll = (doc: Doc, event: string, ground: Ground, keep = -1): Doc => {
  let left = doc;
  for (let at = ownEntries(doc, event).length - 1; at >= 0; at -= 1) {
    const entry = ownEntries(left, event)[at];
    if (entry && at !== keep) left = dropOwn(left, event, entry, ground);
  }
  if (keep < 0) delete ground.events[event];
  return left;
};

/** Own entries without a record of what was there before: containers that hold nothing else count as made by Drover. */
const assume = (doc: Doc): Ground => {
  const hooks = hooksOf(doc);
  const events = hooks ? keysOf(hooks) : [];
  const whole = events.filter(event => hooks && isAllOwn(valueOf(doc, hooks, event)));
  return {
    events: Object.fromEntries(whole.map(event => [event, null])),
    ...(whole.length === events.length ? { hooks: null } : {}),
  };
};

export const isBlank = (text: string): boolean => /^\uFEFF?[ \t\r\n]*$/.test(text);

export const bomOf = (text: string): string => (text.startsWith('\uFEFF') ? '\uFEFF' : '');
