/** Applies the `redact` patterns of the config to everything that leaves the daemon. */

/** Returns a function that replaces every match. The patterns were checked when the config was read. */
export const redactor = (patterns: string[]): ((text: string) => string) => {
  const expressions = patterns.map(pattern => new RegExp(pattern, 'g'));
  return text => expressions.reduce((result, expression) => result.replace(expression, '[redacted]'), text);
};
