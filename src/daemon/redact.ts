/** Applies the `redact` patterns of the config to everything that leaves the daemon. */

/** Returns a function that replaces every match of the current patterns, which were checked when the config was read. */
export const redactor = (patterns: () => string[]): ((text: string) => string) => {
  let compiled: { from: string[]; expressions: RegExp[] } = { from: [], expressions: [] };
  return text => {
    const from = patterns();
    if (from !== compiled.from)
      compiled = { from, expressions: from.map(pattern => new RegExp(pattern, 'g')) };
    return compiled.expressions.reduce((result, one) => result.replace(one, '[redacted]'), text);
  };
};
