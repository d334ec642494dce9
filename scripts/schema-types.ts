/** Prints the types of the client's responses and requests as plain TypeScript, so that its users need no schema library. */
import * as z from 'zod';
import { Answer, Answered } from '../src/contract/answer.ts';
import { Resumed, SessionList, SessionPage } from '../src/contract/api.ts';
import * as hub from '../src/contract/hub.ts';
import { Next, Queue } from '../src/contract/queue.ts';
import { Session, State } from '../src/contract/session.ts';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

const typeOf = (schema: Schema): string => {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
};

const objectType = ({ properties, required = [], additionalProperties }: Schema): string => {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  return `{ ${fields.join(' ')} }`;
};

const answers = {
  Session,
  State,
  SessionList,
  SessionPage,
  Answered,
  Resumed,
  Queue,
  Next,
  Receipt: hub.Receipt,
  ReceiptList: hub.ReceiptList,
  TranscriptPage: hub.TranscriptPage,
};
const wishes = {
  Answer,
  CreateSession: hub.CreateSession,
  SendMessage: hub.SendMessage,
  PressKeys: hub.PressKeys,
};

for (const [io, schemas] of [
  ['output', answers],
  ['input', wishes],
] as const)
  for (const [name, schema] of Object.entries(schemas))
    console.log(`export type ${name} = ${typeOf(z.toJSONSchema(schema, { io }) as Schema)};`);
