/** Adds and removes rules that keep Claude Code's tools out of DROVER_HOME, in the text of a settings file. Pure. */
import type { Node } from 'jsonc-parser';
import * as z from 'zod';
import { append, type Doc, drop, emptyInside, keysOf, parseDoc, refuse, valueOf } from './json-text.ts';
import { bomOf, isBlank } from './merge.ts';

/** What removal needs to restore the file byte for byte. */
export const UndoRules = z.object({
  /** Rules that Drover added. */
  rules: z.array(z.string()),
  /** Text of a file without JSON; null if there was no file. */
  blank: z.string().nullable().optional(),
  /** Text between the braces of an empty top level. */
  root: z.string().optional(),
  /** Text between the braces of an empty `permissions`; null if Drover added it. */
  permissions: z.string().nullable().optional(),
  /** The same for `deny`. */
  deny: z.string().nullable().optional(),
});
export type UndoRules = z.infer<typeof UndoRules>;

/**
 * Denies reading and changing everything below these folders. `Edit` covers every tool that changes files; Claude Code
 * ignores rules with `Write`. `//` starts a path at the root of the file system.
 */
export const denyRules = (folders: string[]): string[] =>
  [...new Set(folders)].flatMap(folder => {
    const pattern = `/${folder.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`)}/**`;
    return [`Read(${pattern})`, `Edit(${pattern})`];
  });

/** Adds missing rules. `before` is null without a file. */
export const addRules = (
  before: string | null,
  rules: string[],
  known: UndoRules | undefined,
  file: string,
): { text: string | null; undo: UndoRules } => {
  const blank = before === null || isBlank(before);
  const bom = blank ? '' : bomOf(before);
  const doc = parseDoc(blank ? '{}\n' : before.slice(bom.length), file);
  const undo: UndoRules = structuredClone(known ?? { rules: [] });
  const list = denyList(doc);
  const there = (list?.children ?? []).map(({ value }) => value as unknown);
  const missing = rules.filter(rule => !there.includes(rule));
  if (missing.length === 0) return { text: before, undo };
  undo.rules = [...new Set([...undo.rules, ...missing])];
  if (blank) undo.blank = before;
  return { text: bom + added(doc, list, missing, undo).text, undo };
};

/** Removes the rules and containers that Drover added. Returns null if Drover created the file. */
export const dropRules = (before: string, undo: UndoRules, file: string): string | null => {
  if (isBlank(before)) return before;
  const bom = bomOf(before);
  let doc = parseDoc(before.slice(bom.length), file);
  for (const rule of undo.rules.toReversed()) {
    const found = denyList(doc)?.children?.findLast(({ value }) => value === rule);
    if (found) doc = drop(doc, found, undo.deny ?? '');
  }
  if (doc.text === before.slice(bom.length)) return before;
  doc = withoutEmpty(doc, undo);
  if (undo.blank !== undefined && keysOf(doc.root).length === 0) return undo.blank;
  return bom + doc.text;
};

const added = (doc: Doc, list: Node | undefined, rules: string[], undo: UndoRules): Doc => {
  if (list) {
    const inside = emptyInside(doc, list);
    if (inside !== undefined) undo.deny = inside;
    return rules.reduce((next, rule) => append(next, denyList(next) as Node, null, rule), doc);
  }
  undo.deny = null;
  const permissions = permissionsOf(doc);
  if (permissions) {
    const inside = emptyInside(doc, permissions);
    if (inside !== undefined) undo.permissions = inside;
    return append(doc, permissions, 'deny', rules);
  }
  undo.permissions = null;
  const inside = emptyInside(doc, doc.root);
  if (inside !== undefined) undo.root = inside;
  return append(doc, doc.root, 'permissions', { deny: rules });
};

/** Removes `deny` and `permissions` if Drover added them and they are empty. */
const withoutEmpty = (doc: Doc, undo: UndoRules): Doc => {
  const list = denyList(doc);
  if (!list?.parent || emptyInside(doc, list) === undefined || undo.deny !== null) return doc;
  const left = drop(doc, list.parent, undo.permissions ?? '');
  const permissions = permissionsOf(left);
  if (!permissions?.parent || emptyInside(left, permissions) === undefined || undo.permissions !== null)
    return left;
  return drop(left, permissions.parent, undo.root ?? '');
};

const permissionsOf = (doc: Doc): Node | undefined => {
  const permissions = valueOf(doc, doc.root, 'permissions');
  if (permissions && permissions.type !== 'object')
    refuse(doc.text, doc.file, permissions.offset, '"permissions" is not an object');
  return permissions;
};

const denyList = (doc: Doc): Node | undefined => {
  const permissions = permissionsOf(doc);
  const list = permissions && valueOf(doc, permissions, 'deny');
  if (list && list.type !== 'array')
    refuse(doc.text, doc.file, list.offset, '"permissions.deny" is not a list');
  return list;
};
