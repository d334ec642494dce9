/** Finds the session that a person means by some words: by title, project, branch or tag. Ids are matched elsewhere, first. */
import type { Session } from '../contract/session.ts';

/** Returns the sessions that match best, most recently active first. Live and parked ones win over ended ones. */
export const matchSessions = <T extends Session>(sessions: Iterable<T>, words: string): T[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const all = Array.from(sessions).filter(({ headless }) => !headless);
  const current = bestOf(all.filter(isCurrent), wanted);
  return current.length > 0
    ? current
    : bestOf(
        all.filter(session => !isCurrent(session)),
        wanted,
      );
};

/** Whether a text can be an id or the beginning of one; shorter ones are words, unless they name a host: `4dd7@devbox`. */
export const isIdPrefix = (text: string): boolean =>
  /^[0-9a-f](?:[0-9a-f-]{5,}(?:@.*)?|[0-9a-f-]{3,}@.+)$/i.test(text) || text.startsWith('startup-');

const isCurrent = ({ state, parked }: Session): boolean => state !== 'ended' || parked;

const bestOf = <T extends Session>(sessions: T[], words: string[]): T[] => {
  const ranked = sessions.map(session => ({ session, rank: rankOf(session, words) }));
  const best = Math.min(...ranked.map(({ rank }) => rank), noMatch);
  if (best === noMatch) return [];
  return ranked
    .filter(({ rank }) => rank === best)
    .map(({ session }) => session)
    .sort((a, b) => b.touched - a.touched || (a.id < b.id ? -1 : 1));
};

const noMatch = 100;

/** The whole text equals a title, else a field; else the worst of the words counts. */
const rankOf = (session: Session, words: string[]): number => {
  const { title, project, branch, tags } = session;
  const whole = words.join(' ');
  const fields = [title, project, branch, ...tags].flatMap(text => (text ? [text.toLowerCase()] : []));
  const isNamed = session.titleFrom !== 'project';
  if (isNamed && title?.toLowerCase().split(/\s+/).join(' ') === whole) return 0;
  if (fields.includes(whole)) return 1;
  return Math.max(...words.map(word => Math.min(noMatch, ...fields.map(field => wordRank(field, word)))));
};

/** From a field that begins with the word to one that has its letters in this order. */
const wordRank = (field: string, word: string): number => {
  if (field.startsWith(word)) return 2;
  if (field.split(/[^\p{L}\p{N}]+/u).some(part => part.startsWith(word))) return 3;
  if (field.includes(word)) return 4;
  return word.length >= 3 && hasInOrder(field, word) ? 5 : noMatch;
};

const hasInOrder = (field: string, word: string): boolean => {
  let at = 0;
  for (const letter of word) {
    at = field.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
};
