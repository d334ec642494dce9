/** Clean foreign text for a status line: no tmux format, no style, no control character. */
export const labelOf = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{M}\p{N} ._+@=()[\]-]/gu, '')
    .trim()
    .slice(0, 40);
