/** Text of others that a status line shows: it can carry no tmux format, no style and no control character. */
export const labelOf = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{M}\p{N} ._+@=()[\]-]/gu, '')
    .trim()
    .slice(0, 40);
