/** The schemas of the contract as JSON Schema, each under its own name, so that a generated client has one type for each. */
import * as z from 'zod';
import * as answer from '../contract/answer.ts';
import * as api from '../contract/api.ts';
import * as audit from '../contract/audit.ts';
import * as event from '../contract/event.ts';
import * as hub from '../contract/hub.ts';
import * as menu from '../contract/menu.ts';
import * as notice from '../contract/notice.ts';
import * as page from '../contract/page.ts';
import * as queue from '../contract/queue.ts';
import { routes } from '../contract/routes.ts';
import * as session from '../contract/session.ts';
import * as stats from '../contract/stats.ts';
import * as timeline from '../contract/timeline.ts';
import * as token from '../contract/token.ts';
import * as wake from '../contract/wake.ts';
import * as warm from '../contract/warm.ts';

const named = new Map<z.ZodType, string>(
  [
    answer,
    api,
    audit,
    event,
    hub,
    menu,
    notice,
    page,
    queue,
    session,
    stats,
    timeline,
    token,
    wake,
    warm,
  ].flatMap(module =>
    Object.entries(module).flatMap(([name, schema]) =>
      schema instanceof z.ZodType ? [[schema, name] as const] : [],
    ),
  ),
);

/** The schema of a body: fields with a default are optional. */
export const bodySchemaOf = (body: z.ZodType): object => refTo(body) ?? plain(body, 'input');

/** The schema of an answer: all fields are required. */
export const answerSchema = (schema: z.ZodType): object => refTo(schema) ?? plain(schema, 'output');

/** Every schema that a route uses, directly or not. */
export const schemas = (): Record<string, object> => {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of named) if (!isBody(schema)) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const answers = Object.entries(
    z.toJSONSchema(registry, { uri, io: 'output', override: loosen }).schemas,
  ).map(([id, schema]) => [id, withoutNames(schema)] as const);
  const bodies = [...named].flatMap(([schema, id]) =>
    isBody(schema) ? [[id, plain(schema, 'input')] as const] : [],
  );
  return reachable(Object.fromEntries([...answers, ...bodies]));
};

const isBody = (schema: z.ZodType): boolean => routes.some(route => 'body' in route && route.body === schema);

const refTo = (schema: z.ZodType): object | null => {
  const name = named.get(schema);
  return name === undefined ? null : { $ref: `#/components/schemas/${name}` };
};

const plain = (schema: z.ZodType, io: 'input' | 'output'): object =>
  withoutNames(z.toJSONSchema(schema, { io, override: loosen }));

/** Adapts a schema to client generators. Later versions may add fields to an answer. */
const loosen = ({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: unknown;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) => {
  const strict = zodSchema instanceof z.ZodObject && zodSchema.def.catchall !== undefined;
  if (!strict && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Generators treat a field with a default as required, in a request too.
  if (jsonSchema.default !== undefined) {
    jsonSchema.description = `Default: ${JSON.stringify(jsonSchema.default)}`;
    delete jsonSchema.default;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

const withoutNames = (schema: object): object => {
  const { $schema, $id, id, ...rest } = schema as Record<string, unknown>;
  void [$schema, $id, id];
  return rest;
};

/** Removes the schemas that no route uses. */
const reachable = (all: Record<string, object>): Record<string, object> => {
  const wanted = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (wanted.has(name) || !all[name]) continue;
      wanted.add(name);
      visit(all[name]);
    }
  };
  for (const route of routes) {
    if (typeof route.answer !== 'string') visit(refTo(route.answer) ?? plain(route.answer, 'output'));
    if ('body' in route && typeof route.body !== 'string') visit(refTo(route.body) ?? {});
  }
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => wanted.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};
