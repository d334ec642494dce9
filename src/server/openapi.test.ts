/** What a generator of clients needs of openapi.json. */
import { expect, test } from 'vitest';
import { errors } from '../contract/error.ts';
import { type Route, routes } from '../contract/routes.ts';
import { openapi } from './openapi.ts';

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  'x-drover-level': string;
  parameters: { in: string; name: string }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: { $ref?: string } } } };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const document = openapi();
const schemas = document.components.schemas as Record<
  string,
  { required?: string[]; additionalProperties?: unknown; properties?: object }
>;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...(operation as Operation) })),
);

test('every reference resolves, and every schema is used', () => {
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(schemas).sort());
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('every route is there once, with its parameters and its errors', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(routes.map(({ id }) => id).sort());
  for (const { path, operationId, parameters, responses } of operations) {
    const route = routes.find(({ id }) => id === operationId) as Route;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter(one => one.in === 'path').map(({ name }) => name)).toEqual(inPath);
    for (const code of route.errors) expect(Object.keys(responses)).toContain(String(errors[code].status));
  }
});

test('a field with a default is optional in a request and required in an answer', () => {
  const create = operations.find(({ operationId }) => operationId === 'createSession');
  expect(create?.requestBody?.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/CreateSession',
  });
  expect(schemas.CreateSession?.required).toEqual(['session_id']);
  expect(schemas.CreateSession?.additionalProperties).toBe(false);
  expect(schemas.SendMessage?.required).toEqual(['text']);
  // Only sessions of other machines have a place in the fleet.
  const always = Object.keys(schemas.Session?.properties ?? {}).filter(name => name !== 'fleet');
  expect(schemas.Session?.required).toEqual(always);
});

test('an answer may have further fields', () => {
  expect(schemas.Session?.additionalProperties).toBeUndefined();
});

test('a body of which nothing is required need not be sent', () => {
  const optional = operations.filter(({ requestBody }) => requestBody && !requestBody.required);
  expect(optional.map(({ operationId }) => operationId)).toContain('resumeSession');
  expect(optional.map(({ operationId }) => operationId)).not.toContain('sendMessage');
});

test('every route names its level and the right that a token needs', () => {
  const find = (id: string) => operations.find(({ operationId }) => operationId === id);
  for (const { id, level } of routes) expect(find(id)?.['x-drover-level']).toBe(level);
  expect(find('health')?.security).toEqual([]);
  expect(find('answerSession')?.security).toEqual([{ token: ['answer'] }, { page: [] }]);
  expect(find('leavePage')?.security).toEqual([{ page: [] }]);
  expect(find('makeTicket')?.security).toEqual([]);
});
