/** Replaces paths, addresses and known secrets anywhere in a report, as a last safeguard. */

/** Returns a function that replaces these texts, and everything that looks like a path, an address or a key. */
export const maskOf = (secrets: string[]): ((text: string) => string) => {
  const known = [...new Set(secrets)]
    .filter(secret => secret.trim().length >= 4)
    .sort((a, b) => b.length - a.length);
  return text =>
    patterns.reduce(
      (masked, [pattern, by]) => masked.replace(pattern, by),
      known.reduce((masked, secret) => masked.replaceAll(secret, '[hidden]'), text),
    );
};

const patterns: [RegExp, string][] = [
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"',)]+/gi, '[address]'],
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, '[address]'],
  [/(?<![\w.\]])~?\/[^\s"',:;)]+/g, '[path]'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[id]'],
  [/\b[A-Za-z0-9_-]{32,}\b/g, '[key]'],
];

/** Every text in a value, names of fields included. */
export const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
      : [];
