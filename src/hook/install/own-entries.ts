/** Finds Drover's handlers in a settings file, and removes them with the containers they leave empty. */
import type { Node } from 'jsonc-parser';
import { isOwnCommand } from './command.ts';
import type { UndoHooks } from './undo-hooks.ts';
import { type Doc, drop, emptyInside, keysOf, refuse, valueOf } from './json-text.ts';

export interface OwnEntry {
  handler: Node;
  /** Element of the event's list that contains the handler. */
  group: Node;
  /** It has no matcher, so it always fires. */
  everywhere: boolean;
}

/** Returns the `hooks` object; throws if it is something else. */
export const hooksOf = (doc: Doc): Node | undefined => {
  const hooks = valueOf(doc, doc.root, 'hooks');
  if (hooks && hooks.type !== 'object') refuse(doc.text, doc.file, hooks.offset, '"hooks" is not an object');
  return hooks;
};

/** Returns the list of an event; throws if it is something else. */
export const eventList = (doc: Doc, event: string): Node | undefined => {
  const hooks = hooksOf(doc);
  const list = hooks && valueOf(doc, hooks, event);
  if (list && list.type !== 'array')
    refuse(doc.text, doc.file, list.offset, `"hooks.${event}" is not a list`);
  return list;
};

/** Returns the events with own handlers. */
export const ownEvents = (doc: Doc): string[] => {
  const hooks = hooksOf(doc);
  return hooks ? [...new Set(keysOf(hooks))].filter(event => ownEntries(doc, event).length > 0) : [];
};

export const ownEntries = (doc: Doc, event: string): OwnEntry[] => {
  const hooks = hooksOf(doc);
  const list = hooks && valueOf(doc, hooks, event);
  if (list?.type !== 'array') return [];
  return (list.children ?? []).flatMap(group =>
    handlersOf(group)
      .filter(isOwn)
      .map(handler => ({ handler, group, everywhere: ['', '*'].includes(matcherOf(group)) })),
  );
};

/** Removes one own handler, and every container that Drover added and that is now empty. */
export const dropOwn = (doc: Doc, event: string, entry: OwnEntry, undo: UndoHooks): Doc => {
  const alone = handlersOf(entry.group).length === 1;
  if (!alone) return drop(doc, entry.handler);
  const recorded = Object.hasOwn(undo.events, event) ? undo.events[event] : undefined;
  const left = drop(doc, entry.group, recorded ?? '');
  const list = eventList(left, event);
  if (!list?.parent || emptyInside(left, list) === undefined || recorded !== null) return left;

  const without = drop(left, list.parent, undo.hooks ?? '');
  const hooks = hooksOf(without);
  if (!hooks?.parent || emptyInside(without, hooks) === undefined || undo.hooks !== null) return without;
  return drop(without, hooks.parent, undo.root ?? '');
};

/** Returns whether a list contains only own handlers. */
export const hasOnlyOwn = (list: Node | undefined): boolean =>
  list?.type === 'array' &&
  Boolean(list.children?.length) &&
  (list.children ?? []).every(group => handlersOf(group).length > 0 && handlersOf(group).every(isOwn));

const isOwn = (handler: Node): boolean => isOwnCommand(fieldOf(handler, 'command')?.value);

const handlersOf = (group: Node): Node[] => fieldOf(group, 'hooks')?.children ?? [];

const matcherOf = (group: Node): string => String(fieldOf(group, 'matcher')?.value ?? '');

const fieldOf = (object: Node, key: string): Node | undefined =>
  object.type === 'object'
    ? object.children?.findLast(property => property.children?.[0]?.value === key)?.children?.[1]
    : undefined;
