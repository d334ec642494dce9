/** Shortens ids for people: eight digits are unique in practice and accepted by every command. */

/** Returns the first eight characters of a session id. */
export const shortId = (id: string): string => id.replace(/^startup-/, '').slice(0, 8);

/** Whether a session id without its origin starts with a prefix, with or without dashes: of the whole id, or of what `shortId` shows. */
export const startsWithId = (id: string, prefix: string): boolean => {
  const wanted = bare(prefix);
  return bare(id).startsWith(wanted) || bare(id.replace(/^startup-/, '')).startsWith(wanted);
};

const bare = (id: string): string => id.replaceAll('-', '').toLowerCase();
