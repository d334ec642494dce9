/** The title and the tags of a session. Of the names that a person gave, here and in Claude Code, the newest counts. */
import type { Hook } from '../contract/hook.ts';
import { unseen } from '../unseen.ts';
import type { Folded } from './memory.ts';

export const nameEvents = { rename: 'Renamed', tag: 'Tagged' } as const;

/** What the transcript says: the name given by a person, and the generated title. */
export const titlesName = 'Titles';

const titleLength = 200;

export const isNameEvent = (name: string): boolean => Object.values<string>(nameEvents).includes(name);

/** Applies a name or tags that were given through Drover. */
export const reduceName = (session: Folded, event: string, { title, tags }: Hook): void => {
  if (event === nameEvents.rename) session.names = { ...session.names, person: titleText(title) };
  else session.tags = Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string').slice(0, 100) : [];
};

/** Applies the name in Claude's session file, unless Claude Code derived it from the folder. */
export const reduceClaudeName = (session: Folded, file: Hook): void => {
  const { name, nameSource, cwd } = file;
  if (typeof name !== 'string' || nameSource === 'derived') return;
  if (nameSource !== undefined && nameSource !== 'user') return setGenerated(session, titleText(name));
  if (nameSource === undefined && isDerived(name, cwd)) return;
  setInClaude(session, titleText(name));
};

export const reduceTitles = (session: Folded, { custom, generated }: Hook): void => {
  setInClaude(session, titleText(custom));
  setGenerated(session, titleText(generated));
};

/** Ignores a repeated name: a person may have given another one in Drover since. */
const setInClaude = (session: Folded, name: string | null): void => {
  if (name === null || name === session.names.inClaude) return;
  session.names = { ...session.names, inClaude: name, person: name };
};

const setGenerated = (session: Folded, title: string | null): void => {
  if (title !== null && title !== session.names.generated)
    session.names = { ...session.names, generated: title };
};

/** Claude Code derives a name from the folder and two hex digits. Before it reported the source, only its form shows that. */
const isDerived = (name: string, cwd: unknown): boolean => {
  const folder = typeof cwd === 'string' ? cwd.split('/').findLast(Boolean) : undefined;
  return folder !== undefined && name.startsWith(`${folder}-`) && /-[0-9a-f]{2}$/.test(name);
};

/** Decides the title from the names and the project. */
export const setTitle = (session: Folded): void => {
  const { names, name, project } = session;
  const given = names.person ?? name;
  session.title = given ?? names.generated ?? project;
  session.titleFrom = given !== null ? 'person' : names.generated !== null ? 'claude' : 'project';
};

/**
 * Copies what a person gave the session before. Claude Code keeps its own name after `/clear`, so that one only counts if it
 * differs from the name before.
 */
export const inheritNames = (session: Folded, before: Folded): void => {
  const { person, inClaude } = before.names;
  const own = session.names.inClaude;
  if (own === null || own === inClaude) session.names = { ...session.names, person, inClaude };
  if (session.tags.length === 0) session.tags = before.tags;
  setTitle(session);
};

/** Returns a title in one bounded line; null where nothing is left of it. */
export const titleText = (text: unknown): string | null => {
  if (typeof text !== 'string') return null;
  const plain = text
    .slice(0, 4 * titleLength)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(unseen, '')
    .trim()
    .slice(0, titleLength);
  return plain === '' ? null : plain;
};
