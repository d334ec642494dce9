/** The host in the text of a filter. */

const hostWord = /(^|\s)host:(\S*)/i;

/** The host that a filter names; empty where it names none. */
export const hostIn = (filter: string): string => hostWord.exec(filter)?.[2] ?? '';

/** The filter with this host instead; an empty one takes it out. */
export const withHost = (filter: string, host: string): string => {
  const others = filter.replace(hostWord, '$1').trim().replaceAll(/\s+/g, ' ');
  return host === '' ? others : `${others} host:${host}`.trim();
};
