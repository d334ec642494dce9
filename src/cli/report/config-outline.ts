/** Outlines config.json: known fields with numbers, switches and choices; of everything else, only that it is present. */
import type { JsonSchema } from '../../contract/config-schema.ts';

export const configOutline = (value: unknown, schema: JsonSchema | undefined): unknown => {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return isChoice(value, schema) ? value : '[text]';
  if (Array.isArray(value)) return `[list of ${value.length}]`;
  const { properties } = schema ?? {};
  const entries = Object.entries(value as object);
  if (!properties) return `[${entries.length} entries]`;
  const known = entries.filter(([key]) => Object.hasOwn(properties, key));
  const shown = known.map(([key, inner]) => {
    const own = properties[key];
    return [key, configOutline(inner, typeof own === 'object' ? own : undefined)] as const;
  });
  const unknown = entries.length - known.length;
  return { ...Object.fromEntries(shown), ...(unknown > 0 && { '[unknown fields]': unknown }) };
};

const isChoice = (value: string, schema: JsonSchema | undefined): boolean =>
  [schema, ...(schema?.anyOf ?? [])].some(
    one => typeof one === 'object' && (one.enum?.includes(value) === true || one.const === value),
  );
