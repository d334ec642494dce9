/** Shortens ids for people: eight digits are unique in practice and accepted by every command. */

/** Returns the first eight characters of a session id. */
export const shortId = (id: string): string => id.replace(/^startup-/, '').slice(0, 8);
