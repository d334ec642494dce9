/**
 * The contract of this version: what other programs and people's habits rely on, as one flat table of names. `npm run contract`
 * shows what has changed since the last record, `npm run contract -- --write` records it for the version in package.json.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verbs } from '../src/cli/table/verbs.ts';
import { hookEvents } from '../src/claude/hook-events.ts';
import { configSchema } from '../src/contract/config-schema.ts';
import { errors } from '../src/contract/error.ts';
import { openapi } from '../src/server/openapi.ts';

/** Names with what they promise. A name in it belongs to the longest other name that begins it. */
export type Contract = Record<string, string>;

const folder = 'test/contract';

export const contract = (): Contract => {
  const found: Contract = {};
  const { paths, components } = openapi() as unknown as OpenApi;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      addRoute(found, `${method.toUpperCase()} ${path}`, operation);
  for (const [name, schema] of Object.entries(components.schemas)) addSchema(found, name, schema);
  addSchema(found, 'config.json', configSchema() as Schema);
  for (const [code, { status, exit }] of Object.entries(errors))
    found[`error ${code}`] = `HTTP ${status}, exit ${exit}`;
  for (const { name, args, options, exits } of verbs) {
    found[`drover ${name}`] = [
      args,
      ...Object.entries(exits ?? {}).map(([code, exit]) => `${code} exits ${exit}`),
    ]
      .filter(Boolean)
      .join('; ');
    for (const [flag, { value = '', short }] of Object.entries(options))
      found[`drover ${name} --${flag}`] = [short && `-${short}`, value].filter(Boolean).join(' ');
  }
  for (const name of ownEvents()) found[`event ${name}`] = 'of Drover';
  for (const { name, watch } of hookEvents) found[`event ${name}`] = `hook, ${watch}`;
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** The newest record: its version and its table. */
export const lastRecord = (): { version: string; recorded: Contract } => {
  const versions = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const version = versions.at(-1) ?? '';
  return { version, recorded: JSON.parse(readFileSync(join(folder, `${version}.json`), 'utf8')) as Contract };
};

/** The names that were added, removed or changed, without those that belong to another one that was added or removed. */
export const changesSince = (before: Contract, after: Contract): string[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const isWhole = (name: string) => !(name in before) || !(name in after);
  const changed = names.filter(name => before[name] !== after[name]).sort();
  return changed.filter(name => !changed.some(other => isWhole(other) && isPartOf(name, other)));
};

const isPartOf = (name: string, whole: string): boolean =>
  name.length > whole.length && name.startsWith(whole) && /^[. [?]/.test(name.slice(whole.length));

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

interface Operation {
  'x-drover-level': string;
  parameters: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const addRoute = (
  found: Contract,
  route: string,
  { parameters, requestBody, responses, ...rest }: Operation,
): void => {
  const codes = Object.values(responses).flatMap(({ description }) => description.match(/`\w+`(?=:)/g) ?? []);
  const [status = '', answer] = Object.entries(responses)[0] ?? [];
  found[route] = `${rest['x-drover-level']}; ${status}; errors ${codes.join(' ').replaceAll('`', '')}`;
  for (const { in: where, name } of parameters) if (where !== 'path') found[`${route} ?${name}`] = where;
  for (const { schema } of Object.values(requestBody?.content ?? {}))
    addSchema(found, `${route} body`, schema);
  for (const { schema } of Object.values(answer?.content ?? {})) addSchema(found, `${route} answer`, schema);
};

/** One name for each field, however deep. */
const addSchema = (found: Contract, name: string, schema: Schema): void => {
  found[name] = typeText(schema);
  const parts = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  for (const { properties = {}, required = [], items, additionalProperties } of parts) {
    for (const [key, field] of Object.entries(properties)) {
      addSchema(found, `${name}.${key}`, field);
      if (!required.includes(key)) found[`${name}.${key}`] += ', optional';
    }
    if (items) addSchema(found, `${name}[]`, items);
    if (typeof additionalProperties === 'object') addSchema(found, `${name}.*`, additionalProperties);
  }
};

const typeText = ({ $ref, type, enum: values, const: value, anyOf, oneOf, allOf }: Schema): string => {
  if ($ref) return $ref.split('/').at(-1) ?? '';
  if (value !== undefined) return JSON.stringify(value);
  if (values) return values.map(one => JSON.stringify(one)).join(' | ');
  const some = anyOf ?? oneOf ?? allOf;
  if (some) return [...new Set(some.map(typeText))].join(allOf ? ' & ' : ' | ');
  return Array.isArray(type) ? type.join(' | ') : (type ?? 'any');
};

/** The events that Drover itself writes into the log, by the code that writes them. */
const ownEvents = (): string[] => {
  const found = new Set<string>();
  for (const file of sourceFiles('src')) {
    const text = readFileSync(file, 'utf8');
    for (const [, name = ''] of text.matchAll(
      /\b(?:ownEvent|eventFrom|draft)\((?:[\w.]+, |'\w+', )?'([A-Z]\w+)'/g,
    ))
      found.add(name);
    for (const [, name = ''] of text.matchAll(/^ {2}(Message[A-Z]\w+): /gm)) found.add(name);
    for (const [, name = ''] of text.matchAll(/^export const \w+Name = '([A-Z]\w+)';$/gm)) found.add(name);
    for (const [, table = ''] of text.matchAll(/^export const \w+Events = \{([\s\S]*?)\} as const;$/gm))
      for (const [, name = ''] of table.matchAll(/: '([A-Z]\w+)'/g)) found.add(name);
  }
  return [...found];
};

const sourceFiles = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap(entry => {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) return sourceFiles(inner);
    return /(?<!\.test)\.ts$/.test(entry.name) && !inner.includes('/testing/') ? [inner] : [];
  });

/** Writes the record of a version. */
export const record = (version: string): void =>
  writeFileSync(join(folder, `${version}.json`), `${JSON.stringify(contract(), null, 2)}\n`);
