/** A request's body, whole and bounded. */
import type { IncomingMessage } from 'node:http';
import { DroverError } from '../contract/error.ts';

/** All bytes of the body; `too_large` as soon as it is, before the rest is read. */
export const readBody = (request: IncomingMessage, most: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
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
