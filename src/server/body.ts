/** The body of a request: read within a bound, and parsed by the schema of its route. */
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { DroverError } from '../contract/error.ts';
import type { PageProof } from '../contract/page-proof.ts';
import type { Route } from '../contract/routes.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import { bodyDigest } from './page-mac.ts';

/** What the handler of this route gets as `body`. A body that the route does not take is not read. */
export const bodyFor = async (
  { body: schema }: Route,
  request: IncomingMessage,
  isAnonymous: boolean,
  proof: PageProof | null = null,
): Promise<unknown> => {
  if (schema === undefined) return undefined;
  const { eventBytes, bodyBytes, anonymousBodyBytes } = limits.http;
  const maxBytes = schema === 'event' ? eventBytes : bodyBytes;
  const bytes = await readBody(request, isAnonymous ? Math.min(maxBytes, anonymousBodyBytes) : maxBytes);
  // The proof of a page holds for one body.
  if (proof && bodyDigest(bytes) !== proof.body) throw new DroverError('unauthorized');
  if (schema === 'event') return bytes;
  // An empty body is an empty object.
  const value = bytes.length === 0 ? {} : parseObject(bytes);
  if (value === null) throw new DroverError('bad_json');
  return checkedBody(schema, value);
};

/** The body by the schema of its route; throws `bad_request` when it does not fit. */
export const checkedBody = (schema: z.ZodType, value: unknown): unknown => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new DroverError('bad_request', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
};

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads all bytes of the body; throws `too_large` as soon as they exceed the limit. */
const readBody = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const tooLarge = () => new DroverError('too_large', `The body is over ${maxBytes} bytes.`);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.pause();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () =>
      reject(new DroverError('bad_request', 'The connection closed before the body was complete.')),
    );
  });
