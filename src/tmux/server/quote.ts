/** Quote text as one argument of a tmux command. Every character that could be special becomes an octal escape. */
export const tmuxQuote = (text: string): string =>
  `"${text.replaceAll(unsafe, char => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;

/** All of ASCII except letters, digits and a few characters without a meaning between double quotes. */
const unsafe = /[\x00-\x7f](?<![A-Za-z0-9 _./:@%+=,-])/g;
