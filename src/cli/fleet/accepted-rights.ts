/** Rights of one host on another, as a person writes them. */
import { DroverError } from '../../contract/error.ts';
import type { AcceptedRights } from '../../contract/fleet.ts';
import { type Call, text } from '../verb.ts';

/** What a host can be allowed. It cannot post events for another host or manage its daemon. */
const allowed = ['read', 'queue', 'answer', 'drive'] as const;

export const acceptedFrom = (given: string): AcceptedRights => {
  if (given === 'none') return [];
  const words = given.split(',').map(word => word.trim());
  const unknown = words.find(word => !(allowed as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new DroverError(
      'usage',
      `drover fleet: unknown right ${JSON.stringify(unknown)}.`,
      `Rights are ${allowed.join(', ')}, or none.`,
    );
  return allowed.filter(right => words.includes(right));
};

/** Returns the rights that this machine gets on a new one (`--rights`); null if none are given. */
export const rightsFrom = (call: Call): AcceptedRights | null => {
  if (text(call, 'accept') !== undefined)
    throw new DroverError('usage', '--accept is for `drover fleet join`.', 'Use --rights.');
  const rights = text(call, 'rights');
  return rights === undefined ? null : acceptedFrom(rights);
};

/** "may read and queue", "may do nothing". */
export const mayText = (rights: readonly string[]): string =>
  rights.length < 2
    ? `may ${rights[0] ?? 'do nothing'}`
    : `may ${rights.slice(0, -1).join(', ')} and ${rights.at(-1)}`;
