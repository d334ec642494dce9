/** Adds the doc comments of the fields in a source file to a JSON schema, as descriptions that editors show. */
import type { JsonSchema } from '../src/contract/config-schema.ts';

/** `source`: the code of the schema; `name`: the constant in it. Fields are found by their indentation. */
export const describeFields = (schema: JsonSchema, source: string, name: string): void => {
  const start = source.indexOf(`export const ${name} `);
  const body = source.slice(start, source.indexOf('\n});', start));
  let parent: JsonSchema | undefined;
  let comment: string | null = null;
  for (const line of body.split('\n')) {
    const said = /^ +\/\*\* (.*) \*\/$/.exec(line);
    const field = /^( +)([a-zA-Z]\w*):/.exec(line);
    if (said) comment = said[1] ?? null;
    if (!field) continue;
    const [, indent = '', key = ''] = field;
    const owner = indent.length === 2 ? schema : parent;
    const own = owner?.properties?.[key];
    if (indent.length === 2) parent = typeof own === 'object' ? own : undefined;
    if (comment !== null && typeof own === 'object') own.description ??= comment;
    comment = null;
  }
};
