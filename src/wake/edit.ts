/** Changes to the agents in config.json, as text: what is not touched keeps its bytes. */
import { getNodeValue, type Node } from 'jsonc-parser';
import { DroverError } from '../contract/error.ts';
import { append, type Doc, drop, parseDoc, replace, valueOf } from '../hook/install/json-text.ts';

type Entry = { agent_id?: unknown; [field: string]: unknown };

/** Adds an entry, or puts it in the place of the one with its name. */
export const addAgent = (text: string, file: string, entry: Entry, again: boolean): string => {
  const doc = withAgents(parseDoc(text, file));
  const before = entryOf(doc, entry.agent_id);
  if (before && !again)
    throw new DroverError(
      'refused',
      `There is an agent ${JSON.stringify(entry.agent_id)} already.`,
      'Add --replace.',
    );
  return (before ? replace(doc, before, entry) : append(doc, agentsOf(doc), null, entry)).text;
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

/** The entries and the global settings of another registry, taken over as they are. */
export const importAgents = (
  text: string,
  file: string,
  registry: { agents?: unknown; hook_settings?: unknown },
  again: boolean,
): { text: string; added: string[]; kept: string[] } => {
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
  if (registry.hook_settings !== undefined && !valueOf(doc, doc.root, 'hook_settings'))
    doc = append(doc, doc.root, 'hook_settings', registry.hook_settings);
  return { text: doc.text, added, kept };
};

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
