/** A string as one word of a POSIX shell. */
export const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
