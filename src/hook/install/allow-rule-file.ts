/** Adds a permission rule to a settings file, as Claude Code itself does for "don't ask again". It stays when Drover is removed. */
import type { Node } from 'jsonc-parser';
import type { Paths } from '../../paths.ts';
import { backUp } from './backup.ts';
import { type Edited, editFile } from './edit-file.ts';
import { preview } from './install.ts';
import { append, type Doc, parseDoc, refuse, valueOf } from './json-text.ts';
import { bomOf, isBlank } from './merge.ts';

/** Adds the rule to `permissions.allow`, after a backup; nothing else in the file changes. */
export const addAllowRule = (name: string, rule: string, paths: Paths): Edited =>
  editFile(name, before => withRule(before, rule, name), {
    keep: (target, before) => void backUp(paths, target, before),
  });

/** Returns the change that `addAllowRule` would make. */
export const previewAllowRule = (name: string, rule: string): Edited =>
  preview(name, before => withRule(before, rule, name));

/** The text with the rule. `before` is null without a file. */
export const withRule = (before: string | null, rule: string, file: string): string => {
  const isEmpty = before === null || isBlank(before);
  const bom = isEmpty ? '' : bomOf(before);
  const doc = parseDoc(isEmpty ? '{}\n' : before.slice(bom.length), file);
  const permissions = part(doc, doc.root, 'permissions', 'object');
  if (!permissions) return bom + append(doc, doc.root, 'permissions', { allow: [rule] }).text;
  const allow = part(doc, permissions, 'allow', 'array');
  if (!allow) return bom + append(doc, permissions, 'allow', [rule]).text;
  if (before !== null && allow.children?.some(({ value }) => value === rule)) return before;
  return bom + append(doc, allow, null, rule).text;
};

const part = (doc: Doc, object: Node, key: string, type: 'object' | 'array'): Node | undefined => {
  const node = valueOf(doc, object, key);
  if (node && node.type !== type)
    refuse(doc.text, doc.file, node.offset, `"${key}" is not ${type === 'array' ? 'a list' : 'an object'}`);
  return node;
};
