/** Text as one word of tmux's command language: what is not plainly harmless is written as an octal escape. */
export const quoted = (text: string): string =>
  `"${text.replaceAll(unsafe, char => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;

/** All of ASCII but letters, digits and a few signs that mean nothing between double quotes. */
const unsafe = /[\x00-\x7f](?<![A-Za-z0-9 _./:@%+=,-])/g;
