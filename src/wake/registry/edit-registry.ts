/** Edit the agents in config.json as text, so that everything else keeps its bytes. */
import { getNodeValue, type Node } from 'jsonc-parser';
import { DroverError } from '../../contract/error.ts';
import { append, type Doc, drop, parseDoc, replace, valueOf } from '../../hook/install/json-text.ts';

type Entry = { agent_id?: unknown; [field: string]: unknown };
type Settings = Record<string, unknown>;

/** Add an entry, or replace the one with the same id. Settings that the new entry does not name are kept from the old one. */
export const addAgent = (
  text: string,
  file: string,
  entry: Entry,
  replaceExisting: boolean,
): { text: string; kept: string[] } => {
  const doc = withAgents(parseDoc(text, file));
  const before = entryOf(doc, entry.agent_id);
  if (before && !replaceExisting)
    throw new DroverError(
      'refused',
      `Agent ${JSON.stringify(entry.agent_id)} already exists.`,
      'Use --replace to change it.',
    );
  const named = settingsIn(entry);
  const old = before ? settingsIn(getNodeValue(before) as Entry) : {};
  const hook_settings = mergeSettings(old, named);
  const after = Object.keys(hook_settings).length ? { ...entry, hook_settings } : entry;
  const { text: edited } = before ? replace(doc, before, after) : append(doc, agentsOf(doc), null, after);
  return { text: edited, kept: Object.keys(old).filter(name => !(name in named)) };
};

export const removeAgent = (text: string, file: string, id: string): string => {
  const doc = withAgents(parseDoc(text, file));
  return drop(doc, requireEntry(doc, id)).text;
};

/** Set `enabled` of an entry. */
export const enableAgent = (text: string, file: string, id: string, enabled: boolean): string => {
  const doc = withAgents(parseDoc(text, file));
  const entry = requireEntry(doc, id);
  const flag = valueOf(doc, entry, 'enabled');
  return (flag ? replace(doc, flag, enabled) : append(doc, entry, 'enabled', enabled)).text;
};

/** Follow another registry; the text is unchanged when it is followed already. */
export const followRegistry = (text: string, file: string, registry: string): string => {
  const doc = parseDoc(text, file);
  const list = valueOf(doc, doc.root, 'registries');
  if (!list) return append(doc, doc.root, 'registries', [registry]).text;
  if (list.type !== 'array') throw new DroverError('bad_config', `${file}: registries is not a list.`);
  const isKnown = (list.children ?? []).some(node => getNodeValue(node) === registry);
  return isKnown ? text : append(doc, list, null, registry).text;
};

/** Stop following a registry. */
export const unfollowRegistry = (text: string, file: string, registry: string): string => {
  const doc = parseDoc(text, file);
  const list = valueOf(doc, doc.root, 'registries');
  const node = (list?.children ?? []).find(one => getNodeValue(one) === registry);
  if (!node) throw new DroverError('refused', `${registry} is not followed.`);
  return drop(doc, node).text;
};

/** Names of the entries and global settings that were imported, and of those that were left unchanged. */
export interface Imported {
  text: string;
  added: string[];
  kept: string[];
  settings: { taken: string[]; kept: string[] };
}

/** Import the entries and the global settings of another registry unchanged. */
export const importAgents = (
  text: string,
  file: string,
  registry: { agents?: unknown; hook_settings?: unknown },
  replaceExisting: boolean,
): Imported => {
  let doc = withAgents(parseDoc(text, file));
  const added: string[] = [];
  const kept: string[] = [];
  for (const entry of (Array.isArray(registry.agents) ? registry.agents : []) as Entry[]) {
    const id = typeof entry?.agent_id === 'string' ? entry.agent_id : '(without agent_id)';
    const before = entryOf(doc, entry?.agent_id);
    if (before && !replaceExisting) {
      kept.push(id);
      continue;
    }
    doc = before ? replace(doc, before, entry) : append(doc, agentsOf(doc), null, entry);
    added.push(id);
  }
  const settings = importSettings(doc, registry.hook_settings, replaceExisting);
  return { text: settings.doc.text, added, kept, settings: { taken: settings.taken, kept: settings.kept } };
};

/** Import field by field: missing fields are added, different ones are kept unless `replaceExisting` is set. */
const importSettings = (
  doc: Doc,
  found: unknown,
  replaceExisting: boolean,
): { doc: Doc; taken: string[]; kept: string[] } => {
  const names = isObject(found) ? Object.keys(found) : [];
  const own = valueOf(doc, doc.root, 'hook_settings');
  if (found === undefined) return { doc, taken: [], kept: [] };
  if (!own) return { doc: append(doc, doc.root, 'hook_settings', found), taken: names, kept: [] };
  const before: unknown = getNodeValue(own);
  if (!isObject(found) || !isObject(before))
    return replaceExisting
      ? { doc: replace(doc, own, found), taken: names, kept: [] }
      : { doc, taken: [], kept: names };
  const different = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(found[name]));
  const taken = different.filter(name => replaceExisting || !(name in before));
  let edited = doc;
  for (const name of taken) {
    const object = valueOf(edited, edited.root, 'hook_settings') as Node;
    const value = valueOf(edited, object, name);
    edited = value ? replace(edited, value, found[name]) : append(edited, object, name, found[name]);
  }
  return { doc: edited, taken, kept: different.filter(name => !taken.includes(name)) };
};

const settingsIn = ({ hook_settings: settings }: Entry): Settings => (isObject(settings) ? settings : {});

/** Merge settings, triggers one by one. Named settings win; `undefined` removes a setting. */
const mergeSettings = (old: Settings, named: Settings): Settings => {
  const all: Settings = { ...old, ...named };
  if (isObject(old.triggers) && isObject(named.triggers))
    all.triggers = { ...old.triggers, ...named.triggers };
  return JSON.parse(JSON.stringify(all)) as Settings;
};

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withAgents = (doc: Doc): Doc => {
  const list = valueOf(doc, doc.root, 'agents');
  if (!list) return append(doc, doc.root, 'agents', []);
  if (list.type !== 'array') throw new DroverError('bad_config', `${doc.file}: agents is not a list.`);
  return doc;
};

const agentsOf = (doc: Doc): Node => valueOf(doc, doc.root, 'agents') as Node;

const entryOf = (doc: Doc, id: unknown): Node | undefined =>
  (agentsOf(doc).children ?? []).find(
    node => node.type === 'object' && (getNodeValue(node) as Entry).agent_id === id,
  );

const requireEntry = (doc: Doc, id: string): Node => {
  const entry = entryOf(doc, id);
  if (!entry) throw new DroverError('no_agent', `There is no agent ${JSON.stringify(id)} in ${doc.file}.`);
  return entry;
};
