/** Text without white space. The CLI wraps, trims and re-joins text, so two texts are compared without it. */
export const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
