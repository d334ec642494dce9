/** What the probe knows of one version: facts by name, grouped by a prefix such as `hooks.` or `dialogs.`. */

export type Fact = string | number | boolean | null | Fact[] | { [key: string]: Fact };

export interface Facts {
  [name: string]: Fact;
}

export interface ProbeResult {
  version: string;
  measured: string;
  facts: Facts;
}

/** Field names of an object, nested ones as `a.b`, sorted. Lists count as one field. */
export const fieldsOf = (value: unknown, prefix = ''): string[] =>
  Object.entries(Object(value) as Record<string, unknown>)
    .flatMap(([name, inner]) =>
      inner !== null && typeof inner === 'object' && !Array.isArray(inner) && Object.keys(inner).length > 0
        ? fieldsOf(inner, `${prefix}${name}.`)
        : [`${prefix}${name}`],
    )
    .sort();

/** Distinct values in order. */
export const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();
