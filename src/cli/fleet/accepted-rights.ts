/** Rights of one host on another, as a person writes them. */
import { DroverError } from '../../contract/error.ts';
import type { AcceptedRights } from '../../contract/fleet.ts';

/** What a host can be allowed. It cannot post events for another host or manage its daemon. */
const given = ['read', 'queue', 'answer', 'drive'] as const;

export const acceptedFrom = (text: string): AcceptedRights => {
  if (text === 'none') return [];
  const words = text.split(',').map(word => word.trim());
  const unknown = words.find(word => !(given as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new DroverError(
      'usage',
      `drover fleet: unknown right ${JSON.stringify(unknown)}.`,
      `Rights are ${given.join(', ')}; none for none of them.`,
    );
  return given.filter(right => words.includes(right));
};

/** "may read and queue", "may do nothing". */
export const mayText = (rights: readonly string[]): string =>
  rights.length < 2
    ? `may ${rights[0] ?? 'do nothing'}`
    : `may ${rights.slice(0, -1).join(', ')} and ${rights.at(-1)}`;
