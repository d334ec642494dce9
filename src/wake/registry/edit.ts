/** Changes to the agents in config.json, as text: what is not touched keeps its bytes. */
import { getNodeValue, type Node } from 'jsonc-parser';
import { DroverError } from '../../contract/error.ts';
import { append, type Doc, drop, parseDoc, replace, valueOf } from '../../hook/install/json-text.ts';

type Entry = { agent_id?: unknown; [field: string]: unknown };
type Settings = Record<string, unknown>;

/** Adds an entry, or puts it in the place of the one with its name; settings of that one that are not named stay. */
export const addAgent = (
  text: string,
  file: string,
  entry: Entry,
  again: boolean,
): { text: string; kept: string[] } => {
  const doc = withAgents(parseDoc(text, file));
  const before = entryOf(doc, entry.agent_id);
  if (before && !again)
    throw new DroverError(
      'refused',
      `There is an agent ${JSON.stringify(entry.agent_id)} already.`,
      'Add --replace.',
    );
  const named = settingsIn(entry);
  const old = before ? settingsIn(getNodeValue(before) as Entry) : {};
  const hook_settings = merged(old, named);
  const after = Object.keys(hook_settings).length ? { ...entry, hook_settings } : entry;
  const { text: edited } = before ? replace(doc, before, after) : append(doc, agentsOf(doc), null, after);
  return { text: edited, kept: Object.keys(old).filter(name => !(name in named)) };
};

export const removeAgent = (text: string, file: string, id: string): string => {
  const doc = withAgents(parseDoc(text, file));
  return drop(doc, known(doc, id)).text;
};

/** Sets `enabled` of an entry. */
export const enableAgent = (text: string, file: string, id: string, enabled: boolean): string => {
  const doc = withAgents(parseDoc(text, file));
  const entry = known(doc, id);
  const flag = valueOf(doc, entry, 'enabled');
  return (flag ? replace(doc, flag, enabled) : append(doc, entry, 'enabled', enabled)).text;
};

/** Entries and global settings by name: what was taken over, and what was there and stays. */
export interface Imported {
  text: string;
  added: string[];
  kept: string[];
  settings: { taken: string[]; kept: string[] };
}

/** The entries and the global settings of another registry, taken over as they are. */
export const importAgents = (
  text: string,
  file: string,
  registry: { agents?: unknown; hook_settings?: unknown },
  again: boolean,
): Imported => {
  let doc = withAgents(parseDoc(text, file));
  const added: string[] = [];
  const kept: string[] = [];
  for (const entry of (Array.isArray(registry.agents) ? registry.agents : []) as Entry[]) {
    const id = typeof entry?.agent_id === 'string' ? entry.agent_id : '(without agent_id)';
    const before = entryOf(doc, entry?.agent_id);
    if (before && !again) {
      kept.push(id);
      continue;
    }
    doc = before ? replace(doc, before, entry) : append(doc, agentsOf(doc), null, entry);
    added.push(id);
  }
  const settings = importSettings(doc, registry.hook_settings, again);
  return { text: settings.doc.text, added, kept, settings: { taken: settings.taken, kept: settings.kept } };
};

/** Field by field: what is not there yet is taken, what is there and another stays unless it is to be replaced. */
const importSettings = (
  doc: Doc,
  found: unknown,
  again: boolean,
): { doc: Doc; taken: string[]; kept: string[] } => {
  const names = isObject(found) ? Object.keys(found) : [];
  const own = valueOf(doc, doc.root, 'hook_settings');
  if (found === undefined) return { doc, taken: [], kept: [] };
  if (!own) return { doc: append(doc, doc.root, 'hook_settings', found), taken: names, kept: [] };
  const before: unknown = getNodeValue(own);
  if (!isObject(found) || !isObject(before))
    return again
      ? { doc: replace(doc, own, found), taken: names, kept: [] }
      : { doc, taken: [], kept: names };
  const other = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(found[name]));
  const taken = other.filter(name => again || !(name in before));
  let edited = doc;
  for (const name of taken) {
    const object = valueOf(edited, edited.root, 'hook_settings') as Node;
    const value = valueOf(edited, object, name);
    edited = value ? replace(edited, value, found[name]) : append(edited, object, name, found[name]);
  }
  return { doc: edited, taken, kept: other.filter(name => !taken.includes(name)) };
};

const settingsIn = ({ hook_settings: settings }: Entry): Settings => (isObject(settings) ? settings : {});

/** What is named goes first; the triggers one by one; undefined takes a setting away. */
const merged = (old: Settings, named: Settings): Settings => {
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

const known = (doc: Doc, id: string): Node => {
  const entry = entryOf(doc, id);
  if (!entry) throw new DroverError('no_agent', `There is no agent ${JSON.stringify(id)} in ${doc.file}.`);
  return entry;
};
