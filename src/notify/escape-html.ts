/** Turns `&`, `<` and `>` into entities, for places that read markup in plain text. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
