/** Sets and removes one field in the text of config.json. Everything else keeps its bytes. */
import type { Node } from 'jsonc-parser';
import { append, type Doc, drop, parseDoc, replace, valueOf } from '../../hook/install/json-text.ts';

/** Sets a field; objects on the way to it are created. */
export const setField = (text: string, file: string, path: string[], value: unknown): string => {
  const doc = parseDoc(text.trim() ? text : '{}\n', file);
  let object: Node = doc.root;
  for (const [depth, key] of path.entries()) {
    const node = valueOf(doc, object, key);
    const rest = path.slice(depth + 1);
    if (!node) return append(doc, object, key, nested(rest, value)).text;
    if (rest.length === 0) return replace(doc, node, value).text;
    if (node.type !== 'object') return replace(doc, node, nested(rest, value)).text;
    object = node;
  }
  return doc.text;
};

/** Removes a field, so that its default applies; the text is unchanged if the field is missing. */
export const removeField = (text: string, file: string, path: string[]): string => {
  if (!text.trim()) return text;
  const doc = parseDoc(text, file);
  const node = nodeAt(doc, path);
  return node?.parent ? drop(doc, node.parent).text : text;
};

const nodeAt = (doc: Doc, path: string[]): Node | undefined => {
  let node: Node | undefined = doc.root;
  for (const key of path) node = node?.type === 'object' ? valueOf(doc, node, key) : undefined;
  return node;
};

const nested = (path: string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
