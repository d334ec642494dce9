/** Rights that a host gets on another one, as a person writes them. */
import { DroverError } from '../../contract/error.ts';
import type { AcceptedRights } from '../../contract/fleet.ts';

/** What hosts can be given. They post no events for each other, and manage nobody else's daemon. */
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

/** "read and queue", "nothing". */
export const rightsText = (rights: readonly string[]): string =>
  rights.length < 2 ? (rights[0] ?? 'nothing') : `${rights.slice(0, -1).join(', ')} and ${rights.at(-1)}`;
