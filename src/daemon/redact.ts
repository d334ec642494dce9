/** `redact` patterns of the config, applied to whatever leaves the daemon. */

/** A function that replaces what any pattern matches. Patterns were checked when the config was read. */
export const redactor = (patterns: string[]): ((text: string) => string) => {
  const expressions = patterns.map(pattern => new RegExp(pattern, 'g'));
  return text => expressions.reduce((result, expression) => result.replace(expression, '[redacted]'), text);
};
