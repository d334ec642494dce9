/** The complete input of a tool, one field per line; a single text, such as a plan, without its name. */
export const inputText = (input: Record<string, unknown>): string => {
  const fields = Object.entries(input);
  const [only] = fields;
  if (fields.length === 1 && typeof only?.[1] === 'string') return only[1];
  return (
    fields
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      // A line of a value must not look like another field.
      .map(field => field.replaceAll('\n', '\n    '))
      .join('\n')
  );
};
