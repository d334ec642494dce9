/** Rules that keep Claude Code's own tools out of DROVER_HOME, into and out of the text of a settings file. Pure. */
import type { Node } from 'jsonc-parser';
import * as z from 'zod';
import { append, type Doc, drop, emptyInside, keysOf, parseDoc, refuse, valueOf } from './json-text.ts';
import { bomOf, isBlank } from './merge.ts';

/** What the file looked like where the rules were added, so that removal can give it back to the byte. */
export const RulesGround = z.object({
  /** The rules that Drover added. */
  rules: z.array(z.string()),
  /** There was no JSON at all: the text of a blank file, or null for no file. */
  blank: z.string().nullable().optional(),
  /** What stood between the braces of an empty top level. */
  root: z.string().optional(),
  /** What stood between the braces of an empty `permissions`; null: Drover made it. */
  permissions: z.string().nullable().optional(),
  /** The same for `deny`. */
  deny: z.string().nullable().optional(),
});
export type RulesGround = z.infer<typeof RulesGround>;

/**
 * Denies reading and changing everything below these folders. `Edit` covers every tool that changes files, and a rule with
 * `Write` is not looked at; `//` begins a path at the root of the file system.
 */
export const denyRules = (folders: string[]): string[] =>
  [...new Set(folders)].flatMap(folder => {
    const pattern = `/${folder.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`)}/**`;
    return [`Read(${pattern})`, `Edit(${pattern})`];
  });

/** Adds the rules that are missing. `before` null: no file. */
export const addRules = (
  before: string | null,
  rules: string[],
  known: RulesGround | undefined,
  file: string,
): { text: string | null; ground: RulesGround } => {
  const blank = before === null || isBlank(before);
  const bom = blank ? '' : bomOf(before);
  const doc = parseDoc(blank ? '{}\n' : before.slice(bom.length), file);
  const ground: RulesGround = structuredClone(known ?? { rules: [] });
  const list = denyList(doc);
  const there = (list?.children ?? []).map(({ value }) => value as unknown);
  const missing = rules.filter(rule => !there.includes(rule));
  if (missing.length === 0) return { text: before, ground };
  ground.rules = [...new Set([...ground.rules, ...missing])];
  if (blank) ground.blank = before;
  return { text: bom + added(doc, list, missing, ground).text, ground };
};

/** Takes the rules that Drover added out, with the containers it had made. Null: the file was Drover's alone. */
export const dropRules = (before: string, ground: RulesGround, file: string): string | null => {
  if (isBlank(before)) return before;
  const bom = bomOf(before);
  let doc = parseDoc(before.slice(bom.length), file);
  for (const rule of ground.rules.toReversed()) {
    const found = denyList(doc)?.children?.findLast(({ value }) => value === rule);
    if (found) doc = drop(doc, found, ground.deny ?? '');
  }
  if (doc.text === before.slice(bom.length)) return before;
  doc = withoutEmpty(doc, ground);
  if (ground.blank !== undefined && keysOf(doc.root).length === 0) return ground.blank;
  return bom + doc.text;
};

const added = (doc: Doc, list: Node | undefined, rules: string[], ground: RulesGround): Doc => {
  if (list) {
    const inside = emptyInside(doc, list);
    if (inside !== undefined) ground.deny = inside;
    return rules.reduce((next, rule) => append(next, denyList(next) as Node, null, rule), doc);
  }
  ground.deny = null;
  const permissions = permissionsOf(doc);
  if (permissions) {
    const inside = emptyInside(doc, permissions);
    if (inside !== undefined) ground.permissions = inside;
    return append(doc, permissions, 'deny', rules);
  }
  ground.permissions = null;
  const inside = emptyInside(doc, doc.root);
  if (inside !== undefined) ground.root = inside;
  return append(doc, doc.root, 'permissions', { deny: rules });
};

/** Takes away `deny` and `permissions` where Drover made them and nothing is in them any more. */
const withoutEmpty = (doc: Doc, ground: RulesGround): Doc => {
  const list = denyList(doc);
  if (!list?.parent || emptyInside(doc, list) === undefined || ground.deny !== null) return doc;
  const left = drop(doc, list.parent, ground.permissions ?? '');
  const permissions = permissionsOf(left);
  if (!permissions?.parent || emptyInside(left, permissions) === undefined || ground.permissions !== null)
    return left;
  return drop(left, permissions.parent, ground.root ?? '');
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
