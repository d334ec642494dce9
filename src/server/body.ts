/** A request's body, whole and bounded. */
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { DroverError } from '../contract/error.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';

/** Whoever has shown no token may not send more than a little. */
export const limitBody = (request: IncomingMessage): void => void strangers.add(request);

const strangers = new WeakSet<IncomingMessage>();

/** All bytes of the body; `too_large` as soon as it is, before the rest is read. */
export const readBody = (request: IncomingMessage, wanted: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const most = strangers.has(request) ? Math.min(wanted, limits.http.anonymousBodyBytes) : wanted;
    const tooLarge = () => new DroverError('too_large', `The body is over ${most} bytes.`);
    if (Number(request.headers['content-length'] ?? 0) > most) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        request.pause();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () =>
      reject(new DroverError('bad_request', 'The connection closed before the body was whole.')),
    );
  });

/** The body as the route wants it; an empty one is an empty object. */
export const bodyOf = async <T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> => {
  const bytes = await readBody(request, limits.http.bodyBytes);
  const body = bytes.length === 0 ? {} : parseObject(bytes);
  if (body === null) throw new DroverError('bad_json');
  const wish = schema.safeParse(body);
  if (wish.success) return wish.data;
  const [issue] = wish.error.issues;
  throw new DroverError('bad_request', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
};
