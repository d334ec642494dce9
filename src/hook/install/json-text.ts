/**
 * Edits strict JSON as text. Additions follow the file's style, everything else keeps its bytes, and dropping an addition
 * restores the previous text.
 */
import { type Node, parseTree } from 'jsonc-parser';
import { DroverError } from '../../contract/error.ts';
import { type JsonFault, parseStrictJson } from '../../config/strict-json.ts';

/** A settings file's text and its tree. Immutable. */
export interface Doc {
  text: string;
  /** File name for error messages. */
  file: string;
  root: Node;
}

/** Parses a strict JSON object, or throws `bad_settings` with line and column. */
export const parseDoc = (text: string, file: string): Doc => {
  const parsed = parseStrictJson(text);
  if ('fault' in parsed) return refuse(text, file, parsed.fault.offset, describeFault(text, parsed.fault));
  const { root } = parsed;
  if (root.type !== 'object') return refuse(text, file, 0, 'the top level is not an object');
  return { text, file, root };
};

export const refuse = (text: string, file: string, offset: number, why: string): never => {
  const before = text.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  throw new DroverError(
    'bad_settings',
    `${file}:${before.length}:${column}: ${why}. The file was not changed.`,
  );
};

/** Returns the value of a key. Throws on a duplicate key, which is ambiguous. */
export const valueOf = (doc: Doc, object: Node, key: string): Node | undefined => {
  const found = (object.children ?? []).filter(child => child.children?.[0]?.value === key);
  if (found[1]) refuse(doc.text, doc.file, found[1].offset, `duplicate key "${key}"`);
  return found[0]?.children?.[1];
};

export const keysOf = (object: Node): string[] =>
  (object.children ?? []).map(property => String(property.children?.[0]?.value));

/** Returns the text inside an empty object or list; undefined if it is not empty. */
export const emptyInside = (doc: Doc, node: Node): string | undefined =>
  node.children?.length ? undefined : doc.text.slice(node.offset + 1, endOf(node) - 1);

/** Adds a member (with a key) or an element (key null) at the end of an object or list. */
export const append = (doc: Doc, into: Node, key: string | null, value: unknown): Doc => {
  const { eol, unit, multiline, spaced } = styleOf(doc.text);
  const lead = key === null ? '' : `${JSON.stringify(key)}:`;
  const long = (indent: string) =>
    (lead && `${lead} `) + JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
  const short = () =>
    spaced
      ? (lead && `${lead} `) + JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
      : lead + JSON.stringify(value);

  const last = into.children?.at(-1);
  if (last) {
    const gap = spaceBefore(doc.text, last.offset);
    const indent = gap.slice(gap.lastIndexOf('\n') + 1);
    const added = gap.includes('\n') ? `,${eol}${indent}${long(indent)}` : `,${spaced ? ' ' : ''}${short()}`;
    return splice(doc, endOf(last), endOf(last), added);
  }
  const pad = spaced ? ' ' : '';
  const base = lineIndent(doc.text, into.offset);
  const inside = multiline ? eol + base + unit + long(base + unit) + eol + base : pad + short() + pad;
  return splice(doc, into.offset + 1, endOf(into) - 1, inside);
};

/** Removes a member or element. `inside` is the text of the container if it becomes empty. */
export const drop = (doc: Doc, child: Node, inside = ''): Doc => {
  const container = child.parent;
  const siblings = container?.children ?? [];
  const at = siblings.indexOf(child);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before) return splice(doc, endOf(before), endOf(child), '');
  if (after) return splice(doc, child.offset, after.offset, '');
  if (!container) return doc;
  return splice(doc, container.offset + 1, endOf(container) - 1, inside);
};

/** Replaces a value. */
export const replace = (doc: Doc, node: Node, value: unknown): Doc =>
  splice(doc, node.offset, endOf(node), JSON.stringify(value));

/** Replaces a value by text, unchanged. */
export const replaceText = (doc: Doc, node: Node, text: string): Doc =>
  splice(doc, node.offset, endOf(node), text);

const splice = ({ text, file, root }: Doc, from: number, to: number, put: string): Doc => {
  const next = text.slice(0, from) + put + text.slice(to);
  return { text: next, file, root: parseTree(next) ?? root };
};

const styleOf = (text: string) => {
  const first = /^\s*\{(\s*)"(?:[^"\\]|\\.)*"(\s*:\s*)/.exec(text);
  const gap = first?.[1] ?? '\n';
  const indent = gap.slice(gap.lastIndexOf('\n') + 1);
  return {
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    unit: (gap.includes('\n') && indent.slice(lineIndent(text, text.indexOf('{')).length)) || '  ',
    multiline: gap.includes('\n'),
    spaced: (first?.[2] ?? ' ').endsWith(' '),
  };
};

const endOf = (node: Node): number => node.offset + node.length;

const spaceBefore = (text: string, offset: number): string => {
  let from = offset;
  while (from > 0 && ' \t\r\n'.includes(text.charAt(from - 1))) from -= 1;
  return text.slice(from, offset);
};

const lineIndent = (text: string, offset: number): string => {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
};

const describeFault = (text: string, { offset, name }: JsonFault): string => {
  if (name === 'InvalidCommentToken') return 'comments are not JSON';
  const space = spaceBefore(text, offset);
  if (text.charAt(offset - space.length - 1) === ',') return 'a trailing comma is not JSON';
  return `it is not JSON (${name.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter}`).toLowerCase()})`;
};
