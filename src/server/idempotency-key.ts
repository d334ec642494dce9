/** The `Idempotency-Key` of a call: with the same key the same message is sent, and the same session started, once. */
import { DroverError } from '../contract/error.ts';
import { type Headers, headerOf } from './call.ts';

export const idempotencyKey = (headers: Headers): string | null => {
  const key = headerOf(headers, 'idempotency-key');
  if (key !== null && key.length > 200)
    throw new DroverError('bad_request', 'Idempotency-Key: at most 200 characters.');
  return key;
};
