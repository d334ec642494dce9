/** Keeps the numbers and switches of a value; of lists and texts only how many there are. */
export const numberOutline = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return `[list of ${value.length}]`;
  if (typeof value !== 'object') return '[text]';
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, numberOutline(inner)]));
};
